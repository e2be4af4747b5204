/**
 * Whether the peer of a connection is on this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). Ask it of the socket's
 * `remoteAddress`: what a request says of itself, its Host or whom it was forwarded for, anybody can say.
 */
export const isLoopback = (remoteAddress: string | undefined): boolean =>
  /^(::ffff:)?127(\.\d{1,3}){3}$|^::1$/i.test(remoteAddress ?? '');
