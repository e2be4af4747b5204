import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ready } from './ready.mjs';

/** A bare Nest 'hello' on Fastify: one controller, no guard, no interceptor. */
class Hello {
  hello() {
    return { hello: 'world' };
  }
}
// Replaces the decorators of a TypeScript source.
Controller()(Hello);
Get()(Hello.prototype, 'hello', Object.getOwnPropertyDescriptor(Hello.prototype, 'hello'));

class App {}
Module({ controllers: [Hello] })(App);

const app = await NestFactory.create(App, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
ready();
