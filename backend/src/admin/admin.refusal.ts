/** Why an action of an administrator is not done: names the value and the way out. */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal';
}
