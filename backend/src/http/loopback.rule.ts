/**
 * Whether the peer of a connection is on this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). Pass the socket's
 * `remoteAddress`: any client can send any Host or forwarding header.
 */
export const isLoopback = (remoteAddress: string | undefined): boolean =>
  /^(::ffff:)?127(\.\d{1,3}){3}$|^::1$/i.test(remoteAddress ?? '');
