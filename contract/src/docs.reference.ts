import {
  illustratedPaths,
  meteredGroups,
  meteredPaths,
  type MeteredGroup,
  type MeteredPath,
  type MeteredRouteId,
} from './metered.paths.js';

/** An endpoint in the documentation; `route` and `routeId` are missing if it is an illustration. */
export interface DocsEndpoint {
  /** Its anchor. */
  id: `reference-${string}`;
  method: MeteredPath['method'];
  path: string;
  title: string;
  description: string;
  routeId?: MeteredRouteId;
  route?: MeteredPath;
}

export interface DocsGroup {
  id: `reference-${string}`;
  title: string;
  description: string;
  endpoints: readonly DocsEndpoint[];
}

const anchorOf = (name: string) =>
  `reference-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` as const;

const endpointsOf = (wanted: MeteredGroup): DocsEndpoint[] => [
  ...(Object.keys(meteredPaths) as MeteredRouteId[])
    .filter((routeId) => meteredPaths[routeId].group === wanted)
    .map((routeId) => {
      const route: MeteredPath = meteredPaths[routeId];
      const { method, path, title, description } = route;
      return { id: anchorOf(routeId), method, path, title, description, routeId, route };
    }),
  ...Object.entries(illustratedPaths)
    .filter(([, { group }]) => group === wanted)
    .map(([name, { method, path, title, description }]) => ({
      id: anchorOf(name),
      method,
      path,
      title,
      description,
    })),
];

/** Every endpoint in the order of the documentation. */
export const docsGroups: readonly DocsGroup[] = (Object.keys(meteredGroups) as MeteredGroup[]).map(
  (group) => ({
    id: `reference-group-${group}`,
    ...meteredGroups[group],
    endpoints: endpointsOf(group),
  }),
);

/**
 * The groups that contain the text, ignoring case: with all endpoints if the group's title or description contains it,
 * otherwise with the endpoints whose title, path or description does. An empty text finds everything.
 */
export function findInDocs(text: string): readonly DocsGroup[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return docsGroups;
  const contains = (...places: string[]) => places.some((place) => place.toLowerCase().includes(wanted));
  return docsGroups.flatMap((group) => {
    if (contains(group.title, group.description)) return [group];
    const endpoints = group.endpoints.filter(({ title, path, description }) =>
      contains(title, path, description),
    );
    return endpoints.length > 0 ? [{ ...group, endpoints }] : [];
  });
}
