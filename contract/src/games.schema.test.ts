import { describe, expect, test } from '@jest/globals';
import { gameSave } from './games.schema.js';

describe('the data of a game', () => {
  const parse = (data: string) => gameSave.safeParse(JSON.parse(`{"data":${data},"version":0}`));

  test.each(['1e400', '[1,[2,-1e400]]', '{"a":{"b":1e309}}'])(
    'has no number that would be stored as null: %s',
    (data) => {
      expect(parse(data).error?.issues[0]?.message).toBe('must not have a number beyond 1.8e308');
    },
  );

  test.each(['1e308', '[1,[2,-0.5]]', '{"a":{"b":null}}', `${'['.repeat(20_000)}1${']'.repeat(20_000)}`])(
    'has any other value, however deep: case %#',
    (data) => {
      expect(parse(data).success).toBe(true);
    },
  );
});
