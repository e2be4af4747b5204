import { expect, test } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from './config.module.js';
import { parseEnvironment } from './environment.js';
import { WAITS, waits } from './waits.js';

test('the default waits match the documented limits', () => {
  expect(waits).toEqual({
    commitMs: 5_000,
    chainMs: 5_000,
    startLockMs: 5_000,
    socketSignInMs: 5_000,
    slowSocketMs: 15_000,
    slowReaderMs: 120_000,
    exportMs: 3_600_000,
  });
});

test('each application has its own copy', async () => {
  const environment = parseEnvironment({ NODE_ENV: 'test' });
  const application = await NestFactory.createApplicationContext(ConfigModule.with(environment), {
    logger: false,
  });
  const own: unknown = application.get(WAITS);
  expect(own).toEqual(waits);
  expect(own).not.toBe(waits);
  await application.close();
});
