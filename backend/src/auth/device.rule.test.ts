import { describe, expect, test } from '@jest/globals';
import { deviceOf, keptUserAgent } from './device.rule.js';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('a device description', () => {
  test.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Edge on Windows',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`,
      'Opera on Windows',
    ],
    ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.7339.101 Mobile/15E148 Safari/604.1',
      'Chrome on iPad',
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; SM-S931B) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 YaBrowser/25.8.0 Safari/537.36`,
      'Yandex Browser on Windows',
    ],
    ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/140.0.0.0', 'Chrome on ChromeOS'],
    ['curl/8.14.1', 'curl'],
    ['python-requests/2.32.5', 'python-requests'],
    ['node', 'node'],
    ['Something for Windows', 'Windows'],
    ['<script>alert(1)</script>', null],
    ['', null],
  ])('of "%s" is %j', (userAgent, device) => {
    expect(deviceOf(userAgent)).toBe(device);
  });

  test('no User-Agent gives no device', () => {
    expect(deviceOf(null)).toBeNull();
    expect(keptUserAgent(undefined)).toBeNull();
    expect(keptUserAgent('   ')).toBeNull();
  });

  test('is short, however long the User-Agent is', () => {
    const kept = keptUserAgent('a'.repeat(100_000));
    expect(kept).toHaveLength(512);
    expect(deviceOf(kept)).toBe('a'.repeat(40));
  });
});
