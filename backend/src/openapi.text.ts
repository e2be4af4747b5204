import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { parseEnvironment } from './config/environment.js';
import { openApiOf } from './http/openapi.js';

/**
 * The OpenAPI document as JSON text. In Nest's preview mode nothing is instantiated: no database, no network, no file.
 */
export async function openApiText(): Promise<string> {
  const nowhere = { host: 'localhost', port: 0, user: 'nobody', database: 'none' };
  const module = AppModule.with(parseEnvironment({}), nowhere);
  const app = await NestFactory.create(module, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return JSON.stringify(openApiOf(app));
}
