import {
  appearanceDensities,
  appearanceDirections,
  appearanceFonts,
  appearanceLayouts,
  appearanceLimits,
  appearanceModes,
} from './appearance.js';
import type { DocsBlock, DocsSection } from './docs.blocks.js';
import { signInMethods } from './sign-in.methods.js';
import {
  projectIdPlaceholder,
  scriptTag,
  serverSnippets,
  signInSnippets,
  type IntegratedApp,
  type ServerLanguage,
  type SignInWay,
} from './integration.snippets.js';

/** How apps sign in with a portal at `baseUrl`, or who manages that if a hosted identity service does. */
export function signInSections(baseUrl: string, identityUrl: string): DocsSection[] {
  if (identityUrl !== baseUrl) return [hostedSection(identityUrl)];
  const app: IntegratedApp = { portalUrl: baseUrl, projectId: projectIdPlaceholder };
  const code = ({ write, label, language }: (typeof signInSnippets)[SignInWay] | Server): DocsBlock => ({
    code: write(app),
    label,
    language,
  });
  return [
    {
      id: 'authentication-sign-in',
      title: 'Add sign-in',
      blocks: [
        {
          text: `[Create a project](/orange-id), then sign people in on your own site with its ID. [My Projects](/projects) shows the code below with your project’s values in place of \`${projectIdPlaceholder}\`, and downloads a template with all of it: a React app, a page for members and a server.`,
        },
        {
          table: {
            head: ['', 'Script tag', 'React package', 'Redirect'],
            rows: [
              ['For', 'any page', 'React apps', 'any page or app, without a script of the portal'],
              [
                'Asks for passwords',
                'on the portal’s page, in a window',
                'on the portal’s page, in a window',
                'on the portal’s page, in the same tab',
              ],
              [
                'Keeps the session',
                '`OrangeID` does',
                'the package does',
                'your code does, with the refresh token',
              ],
            ],
          },
        },
        {
          list: [
            'Sign-in works on the project’s allowed URLs, with any path, and on `localhost` and `127.0.0.1` with any port. Scheme and host name must match. A wildcard, an extension or an opaque origin (`null`) doesn’t count.',
            'Your app gets an ID that belongs to your project alone, and what the person agrees to share: name, picture, confirmed email, wallet. The rest is `null`.',
            'An access token is valid for an hour, and says for which project (`aud`) and which site (`azp`) it was issued. Your server must check both.',
            'Only accept tokens in a callback that carries the marker your page stored before it left, as the code below does. Otherwise a link can sign your visitor in to somebody else’s account.',
          ],
        },
      ],
    },
    {
      id: 'authentication-script',
      title: 'Sign in with the script tag',
      blocks: [
        { text: 'One line adds the global `OrangeID`:' },
        { code: scriptTag(app), label: 'script tag', language: 'HTML' },
        { text: 'A complete page, with a button that it mounts by itself:' },
        code(signInSnippets.script),
        {
          table: {
            head: ['`OrangeID`', 'Does'],
            rows: [
              [
                '`signIn({ method })`',
                'Opens the sign-in window, or the sign-in page in this tab if the browser blocks windows. Call it on a click. `method` is `email`, `wallet`, `google` or `apple`, or left out. Resolves with the user.',
              ],
              ['`signOut()`', 'Ends the session here and on the portal.'],
              ['`getUser()`', 'Resolves with the signed-in user, or `null`.'],
              [
                '`getAccessToken()`',
                'Resolves with an access token for your server, renewed if necessary, or `null`.',
              ],
              [
                '`mount(element, { as })`',
                'Shows a `button` or the `panel` of all sign-in methods in an element. Elements with `data-orange-id="button"` or `"panel"` need no call.',
              ],
              [
                '`on(name, handler)`',
                'Calls the handler at `signin` (with the user), `signout` and `error` (with a message that says what to do). Returns a function that removes it.',
              ],
            ],
          },
        },
        {
          text: `With a content security policy, allow \`${baseUrl}\` in \`script-src\` and \`connect-src\`. A saved logo or picture also needs its origin in \`img-src\`, and a saved font \`${baseUrl}\` in \`style-src\` and \`font-src\`. It needs no \`unsafe-inline\` and no third-party cookie. A \`Cross-Origin-Opener-Policy\` of your page must be \`unsafe-none\` or \`same-origin-allow-popups\`.`,
        },
      ],
    },
    {
      id: 'authentication-react',
      title: 'Sign in with the React package',
      blocks: [
        { code: 'npm install @bedrock_org/passport', label: 'install command', language: 'Terminal' },
        {
          text: 'Set both `tenantId` and `subscriptionKey` to the project’s ID: the package sends the second one with nearly every call.',
        },
        code(signInSnippets.react),
      ],
    },
    {
      id: 'authentication-look',
      title: 'Change how the panel looks',
      blocks: [
        {
          text: 'Save a look for the project in [Customisation](/customisation). The panel shows it on your pages within seconds, and so does the portal’s sign-in page for your app. The consent page keeps the portal’s own look.',
        },
        {
          text: 'With the React package, a page can also set values itself: `appearance` is an object, each of its values wins over the saved one, and the rest comes from the saved look. The texts `light` and `dark` fix the colour scheme only. The script tag shows the saved look.',
        },
        { code: lookSnippet, label: 'panel with its own look', language: 'JSX' },
        {
          table: {
            head: ['Value', 'Allowed'],
            rows: [
              ['`mode`', oneOf(appearanceModes)],
              [
                '`colours`',
                '`light` and `dark`, each with `accent`, `background`, `text`, `border` and `buttonText` as `#RRGGBB`',
              ],
              [
                '`logo`',
                `\`light\`, \`dark\`: an upload’s path, an https URL or empty; \`alt\`: up to ${appearanceLimits.altMax} characters`,
              ],
              ['`font`', oneOf(appearanceFonts)],
              ['`fontSize`', `${appearanceLimits.fontSizeMin} to ${appearanceLimits.fontSizeMax}`],
              ['`layout`', oneOf(appearanceLayouts)],
              ['`picture`', 'beside the panel; like a logo'],
              ['`radius`', `0 to ${appearanceLimits.radiusMax}`],
              ['`density`', oneOf(appearanceDensities)],
              ['`methods`', `${oneOf(signInMethods)}: those shown, in order`],
              ['`texts`', '`title`, `walletButton`, `separator`, `termsUrl` and `privacyUrl`'],
              ['`direction`', oneOf(appearanceDirections)],
            ],
          },
        },
        {
          text: 'A value that is an object, such as `colours`, replaces the saved one whole. [openapi.json](/api/openapi.json) has the JSON schema of a look, as `GET /api/v1/auth/appearance` returns it.',
        },
      ],
    },
    {
      id: 'authentication-redirect',
      title: 'Sign in with a redirect',
      blocks: [
        {
          text: 'Send the browser to `/api/v1/auth/authorize` with `tenantId`, `callback` (without a query or fragment) and `tab`: 22 random letters, digits, hyphens or underscores. It returns to the callback with `token`, `refreshToken` and the same `tab`, or with `error=access_denied`.',
        },
        code(signInSnippets.redirect),
      ],
    },
    {
      id: 'authentication-verify',
      title: 'Verify on your server',
      blocks: [
        {
          text: `An access token is a JWT, signed with ES256. Any library can verify it with the keys at \`${baseUrl}/.well-known/jwks.json\`; [openid-configuration](/.well-known/openid-configuration) describes the issuer. Check the signature, \`iss\`, \`aud\`, \`exp\`, and that \`azp\` is one of your own origins.`,
        },
        {
          text: 'Each of these servers also serves `index.html` from its folder: save it beside the page with the script tag or the redirect, run `node server.mjs` or `python3 server.py`, and open http://localhost:8787. A React app under Vite forwards its calls with `server: { proxy: { "/api": "http://localhost:8787" } }` in `vite.config.js`. `APP_ORIGINS` lists the origins of your pages.',
        },
        ...(Object.keys(serverSnippets) as ServerLanguage[]).map((language) =>
          code(serverSnippets[language]),
        ),
        {
          text: 'The token’s `sub` is the person’s ID at your project. It stays the same when they change their name or email, and when they disconnect and return. Servers verify tokens; only pages renew them.',
        },
      ],
    },
  ];
}

const oneOf = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');

const lookSnippet = `<LoginPanel appearance={{ mode: 'dark', radius: 16, methods: ['google', 'email'] }} />`;

type Server = (typeof serverSnippets)[ServerLanguage];

const hostedSection = (identityUrl: string): DocsSection => ({
  id: 'authentication-sign-in',
  title: 'Add sign-in',
  blocks: [
    {
      text: `People sign in at \`${identityUrl}\`, which manages the apps that can sign in. [My Projects](/projects) shows the settings of its login widget.`,
    },
  ],
});
