import type { UsageRow } from '@orange-id/contract/usage.schema';
import { useMemo } from 'react';
import { useProjects } from '../../api/projects/get.projects';
import { useUsageKeys } from '../../api/usage/get.usage.keys';
import { maskBetween } from '../../ui/mask.key';

/** The names of projects and keys; those that no longer exist are named by code or id. */
export function useNames() {
  const projects = useProjects();
  const keys = useUsageKeys();
  return useMemo(() => {
    const projectNames = new Map(projects.data?.map(({ code, projectName }) => [code, projectName]));
    const known = new Map(keys.data?.map((key) => [key.id, key]));
    return {
      keys: keys.data ?? [],
      projects: projects.data ?? [],
      /** The project's name, or the key's own name if it has no project: `CI (API key)`. */
      projectName: ({ projectId, keyId }: Pick<UsageRow, 'projectId' | 'keyId'>) => {
        if (projectId !== null) return projectNames.get(projectId) ?? projectId;
        const key = known.get(keyId);
        return key ? `${key.name} (API key)` : keys.data ? 'Deleted API key' : 'API key';
      },
      /** Whether the keys have loaded; only then does a missing key count as deleted. */
      hasKeys: keys.data !== undefined,
      /** The name and the masked key, which a rotation changes; several keys of a project share its name. */
      keyName: (id: string) => {
        const key = known.get(id);
        return key ? { name: key.name, key: maskBetween(key), isActive: key.isActive } : null;
      },
    };
  }, [projects.data, keys.data]);
}

export type Names = ReturnType<typeof useNames>;

/** A key's name, and what tells keys of one name apart: `Acme` and `· oid_4fGh••••Zabc`, `Deleted key` and `…5f0a`. */
export function keyParts(names: Names, id: string): { label: string; end: string } {
  const key = names.keyName(id);
  if (key) return { label: key.name, end: `· ${key.key}` };
  return { label: names.hasKeys ? 'Deleted key' : 'Key', end: `…${id.slice(-4)}` };
}

/** A key as text: `Acme · oid_4fGh••••Zabc`, `Deleted key …5f0a`, `Key …5f0a` until the keys have loaded. */
export function keyText(names: Names, id: string): string {
  const { label, end } = keyParts(names, id);
  return `${label} ${end}`;
}

/** The same, marked if the key was revoked. */
export const keyLabel = (names: Names, id: string): string =>
  `${keyText(names, id)}${names.keyName(id)?.isActive === false ? ' (revoked)' : ''}`;
