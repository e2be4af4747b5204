import { afterAll, beforeAll, expect, test } from '@jest/globals';

type Loader = typeof import('@bedrock_org/passport');
const page = globalThis as { window?: { Bedrock?: object } };
let loader: Loader;

// The real loader looks for its page when it is imported.
beforeAll(async () => {
  page.window = {};
  loader = await import('@bedrock_org/passport');
});
afterAll(() => {
  delete page.window;
});

test("a passport function used before its script has come says '{name} is not available yet'", () => {
  expect(() => loader.useBedrockPassport()).toThrow(/^useBedrockPassport is not available yet$/);
});

test('once the script has put its functions at window.Bedrock, they are the ones used', () => {
  page.window!.Bedrock = { useBedrockPassport: () => 'the passport' };
  expect(loader.useBedrockPassport()).toBe('the passport');
});
