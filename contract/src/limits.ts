/** Every number the product promises, in the unit its name ends with. Both sides read it here. */
export const limits = {
  keyNameMaxCharacters: 50,
  projectNameMaxCharacters: 100,
  whitelistUrlMaxCharacters: 2048,
  whitelistUrlsPerProject: 100,
  projectsPerUser: 200,
  savedKeysPerUser: 100,
  /** Per user and instance; made and deleted again counts too. */
  projectsMadePerHour: 200,
  /** URLs added and removed, keys replaced; per user and instance. */
  projectsChangedPerHour: 300,
  savedKeysMadePerHour: 200,
  /** Answers with all projects that a user's clients have not read to the end yet; per instance, as many as sockets. */
  projectListsPerUser: 20,
  hostnameMinCharacters: 3,
  avatarMaxBytes: 1_048_576,
  /** By one account; each costs a conversion. Per instance. */
  pictureChangesPerHour: 60,
  projectsOnProfile: 3,
  passwordMinCharacters: 8,
  passwordMaxCharacters: 128,
  emailMaxCharacters: 254,
  /** Before the @. */
  emailLocalPartMaxCharacters: 64,
  displayNameMaxCharacters: 80,
  userNameMaxCharacters: 40,
  bioMaxCharacters: 1000,
  accessTokenSeconds: 3600,
  refreshTokenSeconds: 30 * 24 * 3600,
  signInMaxSeconds: 90 * 24 * 3600,
  /** Of one account; the one that was not used for the longest ends when another begins. */
  signInsPerUser: 100,
  signInMethodsPerUser: 20,
  signingKeyMaxSeconds: 90 * 24 * 3600,
  confirmLinkSeconds: 24 * 3600,
  resetLinkSeconds: 3600,
  /** Confirmations, and apart from them reset links, to one mailbox, so that nobody's is flooded; per instance. */
  mailsPerAddressPerHour: 5,
  /** By one account; each answer tells whether another account has the address. Per instance. */
  emailChangesPerHour: 10,
  /** How long a sign-in or linking with Google or Apple may take, from leaving the portal to coming back. */
  socialFlowSeconds: 30 * 60,
  browserSessionSeconds: 30 * 24 * 3600,
  /** Browsers that are noted for one account; per instance. */
  browsersPerAccountPerHour: 60,
  /** How old a proof of who somebody is may be when they change how their account is signed in to. */
  freshProofSeconds: 5 * 60,
  /** Changes to how an account is signed in to, which its owner can look up. */
  accountChangesPerUser: 100,
  accountChangesKeptDays: 90,
  expiryCheckBeforeMs: 60_000,
  loadingGuardMs: 15_000,
  userRequestTimeoutMs: 10_000,
  userRequestRetryDelayMs: 1_000,
  userFreshMs: 5 * 60_000,
  projectsFreshMs: 5 * 60_000,
  rewardFreshMs: 5 * 60_000,
  passportPollMs: 100,
  callbackSuccessMs: 1_000,
  callbackFailureMs: 3_000,
  toastMs: 5_000,
  toastSwipePx: 50,
  toastMaxWidthPx: 420,
  tooltipDelayMs: 700,
  /** After one tooltip has gone, how long the next one shows without a delay. */
  tooltipSkipDelayMs: 300,
  copyFeedbackMs: 1_500,
  codeCopyFeedbackMs: 2_000,
  /** How long the relay may take to offer a pairing, and how long the offer is good. */
  walletPairingAnswerMs: 20_000,
  walletPairingMs: 5 * 60_000,
  siweNonceMs: 5 * 60_000,
  siweIssuedAtToleranceMs: 5 * 60_000,
  chainId: 1,
  /** Exactly what a key's has (r, s, v), and the least that smart accounts sign with. */
  walletSignatureMinBytes: 65,
  /** Of a smart account, with what deploys it; those seen have less than 4 KiB. */
  walletSignatureMaxBytes: 16_384,
  /** The browser's own calls to an Ethereum node; the delay doubles with each retry. */
  walletRpcTimeoutMs: 10_000,
  walletRpcRetries: 3,
  walletRpcRetryDelayMs: 150,
  usageRowsPerPage: 100,
  usageRowsPerPageMax: 500,
  usageRangeMaxDays: 400,
  /** Usage questions (figures, rows, pieces of an export) that run at once; per instance, as the next four. */
  usageQuestionsPerUser: 2,
  usageQuestions: 4,
  /** Questions that may wait for a place. */
  usageQuestionsWaitingPerUser: 10,
  usageQuestionsWaiting: 100,
  usageQuestionWaitMs: 2_000,
  /** A piece of an export waits longer: a refusal would break the download off. */
  exportPieceWaitMs: 30_000,
  /** From this share of the daily quota on the Usage page warns. */
  usageQuotaWarnPercent: 80,
  /** How many origins of blocked calls, and of calls with a revoked key, are told apart per key and second. */
  refusedOriginsPerKey: 5,
  /** Rows a second that stand for an owner's refused calls, whatever the number of keys; no quota counts them. */
  refusedRowsPerOwner: 20,
  /** How long calls with the keys of a deleted project are still told from calls with unknown keys. */
  deletedKeysKeptDays: 90,
  exportAddressMs: 60_000,
  exportAddressesPerUser: 10,
  /** Sent one behind the other without waiting for an answer, which no browser does; metered calls not counted. */
  requestsWaitingPerConnection: 50,
  /** Per client address and instance. */
  readinessChecksPerMinute: 120,
  socketPayloadMaxBytes: 16_384,
  /** How long a socket may take from its upgrade to a token that holds. */
  socketSignInMs: 5_000,
  /** How long a page may take nothing of what waits for it before its socket is cut. */
  slowSocketMs: 15_000,
  /** Sockets of one client address that have not said yet who they are; per instance. */
  socketsSigningInPerAddress: 60,
  liveRowsPerPush: 200,
  livePushEveryMs: 100,
  /** Per instance. */
  socketsPerUser: 20,
} as const;
