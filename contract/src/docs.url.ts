import { meteredPaths, type MeteredRouteId } from './metered.paths.js';

/** The parameter of /docs that chooses the explorer's endpoint. */
export const endpointParameter = 'endpoint';

export const explorerPath = (endpoint: MeteredRouteId): string =>
  `/docs?${endpointParameter}=${endpoint}#explorer`;

/** The endpoint that the URL names for the explorer; `null` if it names none. */
export function endpointOf(query: URLSearchParams): MeteredRouteId | null {
  const wanted = query.get(endpointParameter);
  return wanted !== null && Object.hasOwn(meteredPaths, wanted) ? (wanted as MeteredRouteId) : null;
}
