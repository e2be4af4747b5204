import { expect, test } from '@jest/globals';
import { hostileTexts } from './hostile.text.fixture.js';
import { createKey } from './keys.schema.js';
import { limits } from './limits.js';
import { profileUpdate } from './profile.schema.js';
import { checkName } from './text.rule.js';
import { checkWhitelistUrl } from './whitelist.rule.js';

test.each(hostileTexts)(
  '%j is valid as a name and a bio, but not as a username, country, email address or host',
  (text) => {
    expect(checkName(text, limits.projectNameMaxCharacters)).toMatchObject({ ok: true });
    expect(createKey.safeParse({ name: text }).success).toBe(true);
    const accepts = (update: object) => profileUpdate.safeParse(update).success;
    expect(accepts({ displayName: text, displayDesc: text })).toBe(true);
    expect(accepts({ userName: text })).toBe(false);
    expect(accepts({ country: text })).toBe(false);
    expect(accepts({ email: `${text}@example.com` })).toBe(false);
    expect(checkWhitelistUrl(`https://${text}.example.org`)).toMatchObject({ ok: false });
    expect(checkWhitelistUrl(`https://a.example.org/${encodeURIComponent(text)}`)).toMatchObject({
      ok: true,
      url: 'https://a.example.org',
    });
  },
);

test.each(['a\u202egpj.exe', 'a\u0000b', 'a\u2066b', 'a\u001b[31m'])(
  '%j, which reverses text, is invisible or controls a terminal, is refused in names and bios',
  (text) => {
    expect(checkName(text, limits.projectNameMaxCharacters)).toEqual({ ok: false, code: 'invisible' });
    expect(createKey.safeParse({ name: text }).success).toBe(false);
    for (const field of ['displayName', 'userName', 'displayDesc']) {
      expect(profileUpdate.safeParse({ [field]: text }).success).toBe(false);
    }
  },
);
