import { z } from 'zod';
import { isLocalPartTooLong, notAnEmail, withAsciiDomain } from './email.rule.js';
import { limits } from './limits.js';
import { perProfileField } from './profile.fields.js';
import { providers, signInMethods } from './sign-in.methods.js';

/** Wire shapes of the identity service. Times are ISO 8601. */
const text = z.string().nullable().optional();

export const identityUser = z.object({
  id: z.string(),
  name: text,
  firstName: text,
  ...perProfileField('storedAs', () => text),
  email: z.string().nullable(),
  displayName: z.string().nullable(),
  role: z.union([z.string(), z.number()]).nullable().optional(),
  picture: text,
  photoUrl: text,
  profilePicture: text,
  ethAddress: text,
  waxAddress: text,
  provider: text,
  emailVerified: z.boolean().optional(),
  /** The confirmed email, which stays in use until `email` is confirmed; only sent while a change is pending. */
  confirmedEmail: text,
  createdAt: text,
  updatedAt: text,
});
export type IdentityUser = z.infer<typeof identityUser>;

export const versionInfo = z.object({
  cdnUrl: z.string(),
  cssUrl: z.string(),
  currentVersion: z.string().optional(),
  betaCdnUrl: z.string().optional(),
  betaCssUrl: z.string().optional(),
  betaVersion: z.string().optional(),
  /** The portal's sign-in methods, which the script tag of an app offers; sent only to apps. */
  methods: z.array(z.enum(signInMethods)).optional(),
});
export type VersionInfo = z.infer<typeof versionInfo>;

export const widgetInfo = z.object({ text: z.string(), url: z.string() });
export type WidgetInfo = z.infer<typeof widgetInfo>;

/** The pattern of `z.email()`, with international top-level domains in their ASCII form. */
const pattern = new RegExp(
  z.regexes.email.source.replace('[A-Za-z]{2,}$', '(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]{2,59})$'),
);

const emailText = z
  .string()
  .trim()
  .overwrite(withAsciiDomain)
  .max(limits.emailMaxCharacters, `must have at most ${limits.emailMaxCharacters} characters`);
/**
 * An email that an account gets: outer white space dropped, the domain in lower case and an international one in its
 * ASCII form, the local part as typed.
 */
export const emailAddress = emailText
  .refine(
    (address) => !isLocalPartTooLong(address),
    `must have at most ${limits.emailLocalPartMaxCharacters} characters before the @`,
  )
  .pipe(z.email({ pattern, error: notAnEmail }));
/** An email that an account has: accounts older than the limit on the local part may exceed it. */
const knownEmailAddress = emailText.pipe(z.email({ pattern, error: notAnEmail }));
const passwordMax = z
  .string()
  .max(limits.passwordMaxCharacters, `must have at most ${limits.passwordMaxCharacters} characters`);
const password = passwordMax.min(
  limits.passwordMinCharacters,
  `must have at least ${limits.passwordMinCharacters} characters`,
);

/** Two password fields that must match, because their text is hidden. */
const passwordsAgree = (body: { password: string; passwordConfirm: string }): boolean =>
  body.password === body.passwordConfirm;
const disagreement = { path: ['passwordConfirm'], message: 'must be the same as the password' };

export const emailLogin = z.strictObject({
  email: knownEmailAddress,
  password: passwordMax.min(1, 'must not be empty'),
});
export type EmailLogin = z.infer<typeof emailLogin>;
export const emailRegister = z
  .strictObject({ email: emailAddress, password, passwordConfirm: z.string() })
  .refine(passwordsAgree, disagreement);
export type EmailRegister = z.infer<typeof emailRegister>;

/** `POST /api/v1/auth/email/reset`: the response is the same for known and unknown addresses. */
export const passwordReset = z.strictObject({ email: knownEmailAddress });
export type PasswordReset = z.infer<typeof passwordReset>;
export const resetResult = z.object({ code: z.number(), status: z.string() });
export type ResetResult = z.infer<typeof resetResult>;

/** `POST /api/v1/auth/email/confirm/again`: the number of links sent; 0 if nothing is left to confirm. */
export const confirmResult = z.object({ sent: z.number().int() });
export type ConfirmResult = z.infer<typeof confirmResult>;

/**
 * `POST /api/v1/auth/email/confirm`, with the token of a confirmation link; `no` means that the account is not the
 * recipient's. The form on the link's page adds `methods`: a hash of the sign-in methods that the page listed.
 */
export const emailConfirm = z.strictObject({
  token: z.string().max(128),
  answer: z.enum(['yes', 'no'], 'must be yes or no').optional(),
  methods: z.string().max(64).optional(),
});
/** `POST /api/v1/auth/email/restore`, with the token of a link that undoes a change of the email. */
export const emailRestore = z.strictObject({ token: z.string().max(128) });
export const emailConfirmed = z.object({ email: z.string(), emailVerified: z.boolean() });

/** `POST /api/v1/auth/email/password`, with the token of a reset link. */
export const newPassword = z
  .strictObject({ password, passwordConfirm: z.string(), token: z.string().max(128) })
  .refine(passwordsAgree, disagreement);
export type NewPassword = z.infer<typeof newPassword>;

/** `POST /api/v1/auth/email/change`, signed in. */
export const passwordChange = z
  .strictObject({
    currentPassword: passwordMax.min(1, 'must not be empty'),
    password,
    passwordConfirm: z.string(),
  })
  .refine(passwordsAgree, disagreement);
export type PasswordChange = z.infer<typeof passwordChange>;

/** The response to every sign-in: the user and the two tokens. */
export const loginResult = z.object({
  user: z.object({ id: z.string() }),
  token: z.object({ accessToken: z.string(), refreshToken: z.string() }),
});
export type LoginResult = z.infer<typeof loginResult>;

/** `now` is the portal's time, for the message's `issuedAt`; hosted services may not send it. */
export const nonceResult = z.object({ nonce: z.string(), now: z.iso.datetime().optional() });

/** The SIWE (EIP-4361) message, which the client sends as an object, not as text. */
export const siweMessage = z.strictObject({
  domain: z.string().max(255),
  address: z.string().max(42),
  statement: z.string().max(200).optional(),
  uri: z.string().max(2048),
  version: z.string().max(8),
  chainId: z.number().int(),
  nonce: z.string().max(128),
  issuedAt: z.string().max(40),
});
export type SiweMessage = z.infer<typeof siweMessage>;

export const walletVerify = z.strictObject({
  message: siweMessage,
  signature: z
    .string()
    .max(
      2 + 2 * limits.walletSignatureMaxBytes,
      `must have at most ${limits.walletSignatureMaxBytes} bytes, two hex digits each`,
    )
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x followed by two hex digits for each byte'),
  tenantId: z.string().max(100).optional(),
});

export type WalletVerify = z.infer<typeof walletVerify>;

export const refreshRequest = z.strictObject({
  refreshToken: z.string().max(4096),
  provider: z.string().max(40).optional(),
});
export type RefreshRequest = z.infer<typeof refreshRequest>;
export const refreshResult = z.object({ accessToken: z.string() });

export const providerName = z.enum(providers);

/** `POST /api/auth/bedrock`, sent once after a login callback, and `PUT`, which only binds the browser. */
export const bedrockRequest = z.strictObject({
  token: z.string().max(8192),
  refreshToken: z.string().max(8192),
});
export type BedrockRequest = z.infer<typeof bedrockRequest>;
/** `refreshToken` replaces the one that was sent; that of a hosted identity service stays the same. */
export const bedrockResult = z.object({ user: identityUser, refreshToken: z.string().optional() });
export type BedrockResult = z.infer<typeof bedrockResult>;

/** A sign-in method of an account. `id` identifies it for unlinking; `label` is its name for the owner. */
export const signInMethod = z.object({
  id: z.string(),
  provider: z.enum(signInMethods),
  label: z.string(),
  /** For email: whether the address is confirmed. */
  isVerified: z.boolean(),
  linkedAt: z.string(),
});
export type SignInMethod = z.infer<typeof signInMethod>;
/** `GET /api/v1/auth/identifiers`. */
export const signInMethodList = z.array(signInMethod);

/**
 * A proven fact about an account: a confirmed email address, a wallet that signed, or an account at a provider. `label`
 * is null for an account at a provider that vouches for no address.
 */
export const provenIdentifier = z.object({
  provider: z.enum(signInMethods),
  label: z.string().nullable(),
});
export type ProvenIdentifier = z.infer<typeof provenIdentifier>;
/** `GET /api/auth/bedrock`: the account of an access token. `createdAt` is null if the service does not send it. */
export const accountPreview = z.object({
  identifiers: z.array(provenIdentifier),
  createdAt: z.string().nullable(),
});
export type AccountPreview = z.infer<typeof accountPreview>;

/** `POST /api/v1/auth/identifier/wallet`, signed in. */
export const walletLink = walletVerify.omit({ tenantId: true });
export type WalletLink = z.infer<typeof walletLink>;

/** `GET /api/v1/auth/proof`: until when this browser may change sign-in methods; null if it may not. */
export const freshProof = z.object({ provenUntil: z.string().nullable() });
export type FreshProof = z.infer<typeof freshProof>;

/** `POST /api/v1/auth/proof`: the account's password, or a message that one of its wallets has just signed. */
export const proofRequest = z.union(
  [z.strictObject({ password: passwordMax.min(1, 'must not be empty') }), walletLink],
  'must have either password, or message and signature',
);
export type ProofRequest = z.infer<typeof proofRequest>;

/** `POST /api/v1/auth/proof/GOOGLE` and `…/APPLE`: the URL where the user confirms the account. */
export const proofWay = z.object({ href: z.string() });
export type ProofWay = z.infer<typeof proofWay>;

/**
 * Changes to the sign-in methods of an account and to the names of its projects. `methodLost`: another user proved that
 * the address is theirs.
 */
export const accountChangeKinds = [
  'methodAdded',
  'methodRemoved',
  'methodLost',
  'passwordChanged',
  'passwordReset',
  'signedOutEverywhere',
  'deleted',
  'kept',
  'projectRenamed',
  'viewedByAdministrator',
  'disabledByAdministrator',
  'enabledByAdministrator',
  'keyRevokedByAdministrator',
  'quotaSetByAdministrator',
  'mailSentByAdministrator',
] as const;
export type AccountChangeKind = (typeof accountChangeKinds)[number];
/**
 * `provider` and `label` name the method, as in `signInMethod`; for a renamed project, `label` has both names; for what an
 * administrator did, the key, the quota or the address. `device` describes the User-Agent.
 */
export const accountChange = z.object({
  id: z.string(),
  kind: z.enum(accountChangeKinds),
  provider: z.enum(signInMethods).nullable(),
  label: z.string().nullable(),
  device: z.string().nullable(),
  at: z.string(),
});
export type AccountChange = z.infer<typeof accountChange>;
/** `GET /api/v1/auth/changes`, newest first. */
export const accountChangeList = z.array(accountChange);

/** An active sign-in of one browser or client. `device` describes its User-Agent. */
export const activeSession = z.object({
  id: z.string(),
  provider: z.string(),
  device: z.string().nullable(),
  signedInAt: z.string(),
  lastUsedAt: z.string(),
  isCurrent: z.boolean(),
});
export type ActiveSession = z.infer<typeof activeSession>;
/** `GET /api/v1/auth/sessions`, most recently used first. */
export const activeSessionList = z.array(activeSession);

/** `POST /api/v1/economy/currency`, which the identity client calls when it starts with a token. */
export const inventoryRequest = z.strictObject({
  titleId: z.string().max(100).optional(),
  count: z.number().int().min(0).max(1000).optional(),
  inventory: z.string().max(100).optional(),
});
export type InventoryRequest = z.infer<typeof inventoryRequest>;
export const inventory = z.object({
  Items: z.array(
    z.object({
      Id: z.string(),
      StackId: z.string(),
      DisplayProperties: z.record(z.string(), z.unknown()),
      Amount: z.number(),
      Type: z.string(),
    }),
  ),
});
export type Inventory = z.infer<typeof inventory>;
