import FixedJsdomEnvironment from 'jest-fixed-jsdom';
import { disableStorages } from './async.storages.mjs';
import './code.cache.mjs';

export default class extends FixedJsdomEnvironment {
  async teardown() {
    await super.teardown();
    disableStorages();
  }
}
