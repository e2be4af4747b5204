export { removeDataFolder } from '../backend/dist/cluster.folders.js';
