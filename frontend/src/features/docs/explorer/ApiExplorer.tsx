import type { ExplorerProps } from '../DocsPage';

export function ApiExplorer({ endpoint }: ExplorerProps) {
  return <p>{endpoint}</p>;
}
