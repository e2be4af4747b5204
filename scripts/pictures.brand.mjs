/**
 * Draws the pictures that must be PNG or JPEG from the brand's SVG: the share card for links to the portal
 * (1200 × 630), the home screen icon (180 × 180), and the default picture that 'Delete photo' uploads (512 × 512), all
 * into frontend/public. The email logo (84 × 84) goes into the backend as a module.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findBrowser } from './lib/browser.mjs';
import { root } from './lib/steps.mjs';

const folder = join(root, 'frontend/public');
const mark = readFileSync(join(folder, 'orange-id.svg'), 'utf8');
const inter = readFileSync(
  join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2'),
).toString('base64');

const socialCard = `
  <style>
    @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${inter}) }
    body {
      position: relative; box-sizing: border-box; width: 1200px; height: 630px; margin: 0; padding: 72px 80px;
      overflow: hidden; color: #f5f1ec; font-family: Inter; font-optical-sizing: auto;
      background:
        radial-gradient(620px 620px at 990px 350px, rgb(243 121 32 / 26%), transparent 70%),
        #0e0d0c;
    }
    .brand { display: flex; gap: 16px; align-items: center; font-size: 36px; font-weight: 680; letter-spacing: -0.022em }
    .brand svg { width: 44px; margin-top: -8px }
    h1 { width: 720px; margin: 112px 0 28px; font-size: 76px; font-weight: 680; line-height: 1.06; letter-spacing: -0.03em }
    p { width: 620px; margin: 0; color: #c3bbb2; font-size: 28px; line-height: 1.4; letter-spacing: -0.01em }
    body > svg { position: absolute; top: 88px; left: 784px; width: 440px }
  </style>
  <div class="brand">${mark} Orange ID</div>
  <h1>Build, Launch, and Scale with Orange ID</h1>
  <p>Sign-in with Google, Apple, email or a wallet.<br>One API key per project and a live log of every call.</p>
  ${mark}`;

const touchIcon = `
  <style>
    body { display: grid; width: 180px; height: 180px; margin: 0; background: #fff3e9; place-items: center }
    svg { width: 116px; margin-top: -6px }
  </style>
  ${mark}`;

const avatar = `
  <style>
    body { margin: 0 }
    svg { display: block; width: 512px }
  </style>
  ${readFileSync(join(folder, 'default-avatar.svg'), 'utf8')}`;

/** Shown 28 px wide, on light and dark emails. */
const mailLogo = `
  <style>
    body { margin: 0 }
    svg { display: block; width: 84px }
  </style>
  ${mark}`;

const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('@playwright/test');
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const [name, width, height, html] of [
    ['social-card.png', 1200, 630, socialCard],
    ['apple-touch-icon.png', 180, 180, touchIcon],
    ['default-avatar.jpg', 512, 512, avatar],
  ]) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(`<!doctype html>${html}`);
    await page.evaluate(() => globalThis.document.fonts.ready);
    const jpegOptions = name.endsWith('.jpg') ? { quality: 92 } : {};
    await page.screenshot({ path: join(folder, name), ...jpegOptions });
    await page.close();
  }
  const page = await browser.newPage({ viewport: { width: 84, height: 84 } });
  await page.setContent(`<!doctype html>${mailLogo}`);
  const png = await page.screenshot({ omitBackground: true });
  writeFileSync(join(root, 'backend/src/mail/mail.logo.ts'), logoModule(png.toString('base64')));
} finally {
  await browser.close();
}

function logoModule(base64) {
  const lines = base64.match(/.{1,100}/g).map((line) => `  '${line}'`);
  return `/** Written by \`scripts/pictures.brand.mjs\`: the logo in emails, a PNG of 84 × 84 px shown at 28. */
const logoPng =
${lines.join(' +\n')};

/** The Content-ID of the logo within an email (RFC 2392). */
export const logoCid = 'logo@orange-id';

export const logoAttachment = {
  cid: logoCid,
  filename: 'orange-id.png',
  contentType: 'image/png',
  contentDisposition: 'inline',
  content: Buffer.from(logoPng, 'base64'),
} as const;
`;
}
