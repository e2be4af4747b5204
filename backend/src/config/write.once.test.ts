import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrWriteOnce } from './write.once.js';

describe('a file that is written once', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'portal-test-'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  test('keeps the content of the process that wrote it first, which the other one uses too', () => {
    const file = join(folder, 'secret');
    const content = readOrWriteOnce(file, () => {
      writeFileSync(file, 'of the other process\n');
      return 'mine';
    });
    expect(content).toBe('of the other process');
    expect(readFileSync(file, 'utf8')).toBe('of the other process\n');
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  test('is written even if another process creates its folder at the same moment', () => {
    jest.spyOn(fs, 'existsSync').mockReturnValueOnce(false);
    expect(readOrWriteOnce(join(folder, 'secret'), () => 'mine')).toBe('mine');
  });
});
