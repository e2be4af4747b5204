/** A project's code, its public id: `orange-` and ten lowercase letters or digits. */
export const projectCode = /^orange-[0-9a-z]{10}$/;
