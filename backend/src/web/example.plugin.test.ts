import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exampleAddress } from '@orange-id/contract/example.page';
import { fastify } from 'fastify';
import { examplePlugin } from './example.plugin.js';

describe('the example of the script tag', () => {
  const instance = fastify();
  beforeAll(async () => {
    await instance.register(examplePlugin, { publicUrl: 'https://id.example.com' });
  });
  afterAll(() => instance.close());

  test('shows the tag of the reader’s project, runs it, and allows no inline script', async () => {
    const { statusCode, body, headers } = await instance.inject(exampleAddress('orange-a1b2c3d4e5'));
    expect(statusCode).toBe(200);
    expect(body).toContain(
      '&lt;script src=&quot;https://id.example.com/widget/orange-id.js&quot; data-project=&quot;orange-a1b2c3d4e5&quot;&gt;',
    );
    expect(body.match(/<script[^>]*>/g)).toEqual([
      '<script src="/widget/orange-id.js" data-project="orange-a1b2c3d4e5">',
      '<script src="/examples/sign-in.js">',
    ]);
    const policy = String(headers['content-security-policy']).split(';');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        // Of the font that the project chose.
        expect.stringMatching(/^style-src 'sha256-[\w+/=]+' https:\/\/id\.example\.com\/widget\/fonts\/$/),
        "font-src 'self'",
      ]),
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  test('without a project it says how to choose one, and it never runs or repeats another text as HTML', async () => {
    const plain = await instance.inject('/examples/sign-in');
    expect([plain.statusCode, plain.body.includes('Choose a project')]).toEqual([200, true]);
    for (const project of [
      '',
      'orange-0',
      'ORANGE-A1B2C3D4E5',
      '"><script>alert(1)</script>',
      'orange-a1b2c3d4e5"',
      'orange-a1b2c3d4e5&project=orange-b1b2c3d4e5',
    ]) {
      const url = `/examples/sign-in?project=${project.includes('&') ? project : encodeURIComponent(project)}`;
      for (const address of [url, `/examples/sign-in/${encodeURIComponent(project)}`]) {
        const { statusCode, body } = await instance.inject(address);
        expect([address, statusCode, body.includes('<script')]).toEqual([address, 400, false]);
      }
    }
    const { statusCode, headers } = await instance.inject('/examples/sign-in?project=orange-a1b2c3d4e5');
    expect([statusCode, headers['location']]).toEqual([302, '/examples/sign-in/orange-a1b2c3d4e5']);
  });

  test('its script is a file that uses the global', async () => {
    const { headers, body } = await instance.inject('/examples/sign-in.js');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(body).toContain("OrangeID.on('signin'");
  });
});
