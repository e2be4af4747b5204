/**
 * Selects the id of an owner's project; `$1` is its code and `$2` the owner. Only projects of the embedded project
 * service have users, looks and games.
 */
export const ownedProject = 'select id from projects where code = $1 and owner_id = $2 and service is null';
