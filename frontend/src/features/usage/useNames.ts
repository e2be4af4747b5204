import type { UsageRow } from '@orange-id/contract/usage.schema';
import { useMemo } from 'react';
import { useProjects } from '../../api/get.projects';
import { useUsageKeys } from '../../api/get.usage.keys';

/** The beginning of a key that is known, and that there is more: `oid_4fGh••••`. */
const maskPrefix = (prefix: string) => `${prefix}••••`;

/** What people call projects and keys; one that is gone is called by its code or id. */
export function useNames() {
  const projects = useProjects();
  const keys = useUsageKeys();
  return useMemo(() => {
    const projectNames = new Map(projects.data?.map(({ code, projectName }) => [code, projectName]));
    const known = new Map(keys.data?.map((key) => [key.id, key]));
    return {
      keys: keys.data ?? [],
      projects: projects.data ?? [],
      /** The project's name; a key without a project is named itself: `CI (API key)`. */
      projectName: ({ projectId, keyId }: Pick<UsageRow, 'projectId' | 'keyId'>) => {
        if (projectId !== null) return projectNames.get(projectId) ?? projectId;
        const key = known.get(keyId);
        return key ? `${key.name} (API key)` : keys.data ? 'Deleted API key' : 'API key';
      },
      /** Whether the keys are read: only then is one that is not among them deleted. */
      hasKeys: keys.data !== undefined,
      /** The name and the masked key, which rotating changes: several keys of a project have one name. */
      keyName: (id: string) => {
        const key = known.get(id);
        return key ? { name: key.name, key: maskPrefix(key.prefix), isActive: key.isActive } : null;
      },
    };
  }, [projects.data, keys.data]);
}

export type Names = ReturnType<typeof useNames>;

/** A key in a line: `Acme · oid_4fGh••••`, `Deleted key …5f0a`, `Key …5f0a` while the keys are not read. */
export function keyText(names: Names, id: string): string {
  const key = names.keyName(id);
  return key ? `${key.name} · ${key.key}` : `${names.hasKeys ? 'Deleted key' : 'Key'} …${id.slice(-4)}`;
}

/** The same, with whether the key was revoked. */
export const keyLabel = (names: Names, id: string): string =>
  `${keyText(names, id)}${names.keyName(id)?.isActive === false ? ' (revoked)' : ''}`;
