import { expect, test } from '@jest/globals';
import { pictureAddress } from './picture.address';

test.each([
  [['https://cdn.example.com/a.png'], 'https://cdn.example.com/a.png'],
  [[' /pictures/a.webp '], '/pictures/a.webp'],
  [['data:image/png;base64,AA'], 'data:image/png;base64,AA'],
  [[null, undefined, '', ' ', 'http://cdn.example.com/b.png'], 'http://cdn.example.com/b.png'],
  [['javascript:alert(1)', 'https://cdn.example.com/a.png'], 'https://cdn.example.com/a.png'],
  [['JavaScript:alert(1)', 'vbscript:x', 'file:///etc/passwd', 'https://'], null],
  [[], null],
])('the first usable picture URL of %j is %j', (named, address) => {
  expect(pictureAddress(...named)).toBe(address);
});
