export { removeDataFolder } from '../backend/dist/backend/src/database/cluster.folders.js';
