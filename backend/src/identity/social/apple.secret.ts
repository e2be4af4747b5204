import { importPKCS8, SignJWT } from 'jose';

/** Apple refuses a secret that is valid for longer than six months; each call gets a new one. */
const secretSeconds = 300;

/** Apple's client secret: a JWT that identifies the portal, signed with the key of APPLE_PRIVATE_KEY. */
export async function makeAppleSecret(apple: {
  clientId: string;
  teamId: string;
  keyId: string;
  privateKey: string;
  audience: string;
}): Promise<string> {
  const key = await importPKCS8(apple.privateKey, 'ES256');
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: apple.keyId })
    .setIssuer(apple.teamId)
    .setSubject(apple.clientId)
    .setAudience(apple.audience)
    .setIssuedAt()
    .setExpirationTime(`${secretSeconds}s`)
    .sign(key);
}
