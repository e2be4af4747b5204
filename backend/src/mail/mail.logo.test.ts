import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { logoAttachment } from './mail.logo.js';

test('the logo of emails is an undamaged PNG of 84 × 84 pixels', async () => {
  const picture = sharp(logoAttachment.content, { failOn: 'warning' });
  const { info } = await picture.toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ format: 'png', width: 84, height: 84 });
});
