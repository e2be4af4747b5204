import type { Project } from '@orange-id/contract/projects.schema';
import { useEffect } from 'react';
import { useCallKeys } from '../../api/keys/call.keys';
import { useProjects } from '../../api/projects/get.projects';

export interface ExampleKeyProps {
  /** The id of the key that is chosen in the explorer, if any. */
  chosen: string | null;
  onKey: (key: string | null) => void;
  onProjects: (projects: readonly Project[]) => void;
}

const none: readonly Project[] = [];

/**
 * Reads the signed-in user's projects and keys, and names the key that the code examples carry: the chosen one, or the
 * first.
 */
export function ExampleKey({ chosen, onKey, onProjects }: ExampleKeyProps) {
  const projects = useProjects().data ?? none;
  useEffect(() => {
    onProjects(projects);
    return () => onProjects(none);
  }, [projects, onProjects]);
  const { keys } = useCallKeys();
  const { key = null } = keys.find(({ id }) => id === chosen) ?? keys[0] ?? {};
  useEffect(() => {
    onKey(key);
    return () => onKey(null);
  }, [key, onKey]);
  return null;
}
