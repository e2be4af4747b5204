import { TestEnvironment } from 'jest-environment-node';
import { disableStorages } from './async.storages.mjs';
import './code.cache.mjs';

export default class extends TestEnvironment {
  async teardown() {
    await super.teardown();
    disableStorages();
  }
}
