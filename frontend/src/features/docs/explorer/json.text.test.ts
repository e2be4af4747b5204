import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indentJson, isExactJson } from './json.text';

test('a text is indented as JSON.stringify does, and is exact', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      expect([indentJson(text), isExactJson(text)]).toEqual([JSON.stringify(value, null, 2), true]);
    }),
  );
});

test.each(['12345678901234567890', '1.0', '1e400', '-0', '"\\u00e9"', '{"a":1,"a":2}'])(
  '%s stays as it is written, and is not exact',
  (text) => {
    const json = `{"amount":[${text}, [], {}]}`;
    expect(indentJson(json)).toBe(
      `{\n  "amount": [\n    ${text.startsWith('{') ? '{\n      "a": 1,\n      "a": 2\n    }' : text},\n    [],\n    {}\n  ]\n}`,
    );
    expect(isExactJson(json)).toBe(false);
  },
);
