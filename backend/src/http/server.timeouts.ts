/** How long the HTTP server waits for its clients, in ms; the names are those of Node's `http.Server`. */
export interface ServerTimeouts {
  /** From a request's first byte, or the opening of its connection, to the last byte of its body. */
  requestTimeout: number;
  /** The same up to the end of its headers. */
  headersTimeout: number;
  /** Between two requests on one connection. */
  keepAliveTimeout: number;
  /** During a request: how long the client may neither send nor accept a byte. */
  timeout: number;
  /** How often the first two are checked: a slow request is cut at most this much later. */
  connectionsCheckingInterval: number;
}

/**
 * Slow requests do not hold connections for long. Idle connections stay open longer than proxies keep theirs (at most
 * 60 s for most), so that a proxy never sends a request on a closing connection. A response that its client has stopped
 * reading does not hold a file for long. A slow reader is not cut: the system accepts more of a response only once a
 * good part of its buffer is read, which at 20 kB/s can take a minute. A connection upgraded to a socket no longer
 * belongs to the HTTP server, so none of these applies to it.
 */
export const serverTimeouts: ServerTimeouts = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 72_000,
  timeout: 120_000,
  connectionsCheckingInterval: 1_000,
};
