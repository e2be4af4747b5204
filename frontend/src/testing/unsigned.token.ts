/** A token without a signature, which the browser doesn't check. `expiresAt` is in ms since the epoch. */
export function unsignedToken(expiresAt: number, sub = 'user-1', more: object = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub, exp: Math.floor(expiresAt / 1000), ...more })}.x`;
}
