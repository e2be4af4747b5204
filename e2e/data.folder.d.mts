export function removeDataFolder(dataDir: string): void;
