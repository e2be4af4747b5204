import { afterAll, beforeAll, expect, test } from '@jest/globals';

type Loader = typeof import('@bedrock_org/passport');
const page = globalThis as { window?: { Bedrock?: object } };
let loader: Loader;

// The real loader reads `window` on import.
beforeAll(async () => {
  page.window = {};
  loader = await import('@bedrock_org/passport');
});
afterAll(() => {
  delete page.window;
});

test("a passport function throws '{name} is not available yet' until its script has loaded", () => {
  expect(() => loader.useBedrockPassport()).toThrow(/^useBedrockPassport is not available yet$/);
});

test('the loader calls the functions of window.Bedrock once the script has set them', () => {
  page.window!.Bedrock = { useBedrockPassport: () => 'the passport' };
  expect(loader.useBedrockPassport()).toBe('the passport');
});
