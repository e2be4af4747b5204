/** How long the HTTP server waits for its clients, in ms; the names are those of Node's `http.Server`. */
export interface ServerTimeouts {
  /** From a request's first byte, or the opening of its connection, to the last byte of its body. */
  requestTimeout: number;
  /** The same to the end of its headers. */
  headersTimeout: number;
  /** Between two requests on one connection. */
  keepAliveTimeout: number;
  /** While a request is under way: without a byte from the client or taken by it. */
  timeout: number;
  /** How often the first two are looked at: a slow request is cut this much later at most. */
  connectionsCheckingInterval: number;
}

/**
 * A request that trickles in does not hold a connection for long. Idle connections stay open longer than proxies keep
 * theirs (60 s at most of them), so that a proxy never sends a request on a connection that is being closed. An answer
 * that its client has stopped reading holds no file for long. A slow client is not cut: the system takes more of an
 * answer only once a good part of its buffer is read, which at 20 kB/s can take a minute. A connection that was upgraded
 * to a socket is no longer the HTTP server's, and none of these cuts it.
 */
export const serverTimeouts: ServerTimeouts = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 72_000,
  timeout: 120_000,
  connectionsCheckingInterval: 1_000,
};
