/**
 * How long a sign-in or linking with Google or Apple may take, from leaving the portal to returning. Apart, because the
 * script of other sites has no room for all limits.
 */
export const socialFlowSeconds = 30 * 60;

/** The limits of the product, in the unit its name ends with; those of profile fields are in `profile.fields.ts`. */
export const limits = {
  keyNameMaxCharacters: 50,
  projectNameMaxCharacters: 100,
  whitelistUrlMaxCharacters: 2048,
  /** Browser extensions, and `null`. */
  otherOriginsPerProject: 20,
  whitelistUrlsPerProject: 100,
  projectsPerUser: 200,
  /** A key that was replaced by rotation doesn't count while the key that replaced it does. */
  savedKeysPerUser: 100,
  /** Per user and instance; deleted projects count too. */
  projectsMadePerHour: 200,
  /** URLs added and removed, keys replaced and rotated; per user and instance. */
  /** In `formerNameDays`. */
  renamingsPerProject: 10,
  /** How long people who use a project’s app see its former name. */
  formerNameDays: 30,
  projectsChangedPerHour: 300,
  /** New keys of `/keys`, also by rotation; per user and instance. */
  savedKeysMadePerHour: 200,
  /** Changes of a key's name, expiry or limit; per user and instance. */
  keysChangedPerHour: 300,
  /** How long a rotated key may keep working beside the new one. */
  keyOverlapMaxDays: 30,
  /** Lists of projects being sent to one user's clients at once, per instance; the same number as live connections. */
  hostnameMinCharacters: 3,
  avatarMaxBytes: 1_048_576,
  /** Per account and instance; each costs a conversion. */
  pictureChangesPerHour: 60,
  requestHeadersMax: 100,
  /** Lists and objects in a JSON body; more than fit into what a game saves. */
  jsonPartsMax: 25_000,
  gamesPerProject: 20,
  /** Games that keep data of one account as their player; a few more if saves arrive together. */
  gamesPerPlayer: 300,
  gameNameMaxCharacters: 50,
  /** What a game saves for a player, as JSON in UTF-8; the same as `gameLimits.dataBytes` of the game SDK. */
  gameDataBytes: 65_536,
  gameDataLevels: 100,
  /** Scores of one player, and saves of one player's data; per instance. */
  gameScoresPerMinute: 30,
  gameSavesPerMinute: 60,
  /** Calls to the games of one's own projects, which are not metered; per user and instance. */
  ownGameCallsPerMinute: 120,
  leaderboard: 10,
  leaderboardMax: 100,
  /** How long a call waits for a leaderboard to change, and how often it is read meanwhile without a play. */
  leaderboardWaitSeconds: 25,
  leaderboardReadSeconds: 10,
  /** Calls that wait: from one address, with one owner's keys, and all; per instance. */
  leaderboardWaitsPerAddress: 50,
  leaderboardWaitsPerOwner: 200,
  leaderboardWaits: 1_000,
  /** Uploaded for a project's login panel. */
  picturesPerProject: 40,
  /** The same for all projects of an account. */
  picturesPerOwner: 200,
  projectsOnProfile: 3,
  passwordMinCharacters: 8,
  passwordMaxCharacters: 128,
  emailMaxCharacters: 254,
  /** Before the @. */
  emailLocalPartMaxCharacters: 64,
  accessTokenSeconds: 3600,
  refreshTokenSeconds: 30 * 24 * 3600,
  sessionMaxSeconds: 90 * 24 * 3600,
  /** Per account; when another begins, the one unused for longest ends. */
  sessionsPerUser: 100,
  signInMethodsPerUser: 20,
  signingKeyMaxSeconds: 90 * 24 * 3600,
  confirmLinkSeconds: 24 * 3600,
  resetLinkSeconds: 3600,
  /** How long the reader of a replaced email can undo its replacement. */
  restoreLinkSeconds: 7 * 24 * 3600,
  /** Confirmations to one mailbox, so that none is flooded; reset links are counted separately. Per instance. */
  mailsPerAddressPerHour: 5,
  /** Per account and instance; each response reveals whether another account has the address. */
  emailChangesPerHour: 10,
  socialFlowSeconds,
  browserSessionSeconds: 30 * 24 * 3600,
  /** Browsers that one account may bind; per instance. */
  browsersPerAccountPerHour: 60,
  /** How old the confirmation of an account may be when its sign-in methods are changed. */
  freshProofSeconds: 5 * 60,
  /** Changes to sign-in methods that the owner can look up. */
  accountChangesPerUser: 100,
  renamingsKept: 10,
  accountChangesKeptDays: 90,
  /** How long an archive of the user's data is kept, how often a new one is prepared, and its newest posts and replies. */
  archiveKeptSeconds: 24 * 3600,
  archiveEverySeconds: 3600,
  archivedPosts: 5_000,
  /** Of posts, and of replies; a little more, because they are read in pieces. */
  archivedTextBytes: 5_000_000,
  /** How often the preparation of an archive is begun, in case it ends the process. */
  archiveAttempts: 3,
  /** How long a deleted account can be kept by signing in. */
  deletedAccountKeptDays: 7,
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
  /** How long after one tooltip has closed the next one opens without a delay. */
  tooltipSkipDelayMs: 300,
  copyFeedbackMs: 1_500,
  codeCopyFeedbackMs: 2_000,
  /** How long the relay may take to offer a pairing, and how long the offer is valid. */
  walletPairingAnswerMs: 20_000,
  walletPairingMs: 5 * 60_000,
  siweNonceMs: 5 * 60_000,
  siweIssuedAtToleranceMs: 5 * 60_000,
  chainId: 1,
  /** The length of a key's signature (r, s, v), and the minimum for smart accounts. */
  walletSignatureMinBytes: 65,
  /** For smart accounts, including the call that deploys the account (ERC-6492). Known ones are below 4 KiB. */
  walletSignatureMaxBytes: 16_384,
  /** One more wallet displaces the one that connected longest ago. */
  connectedWalletsPerProject: 10_000,
  connectedWalletsPerPage: 50,
  connectedWalletsPerPageMax: 200,
  projectUsersPerPage: 50,
  projectUsersPerPageMax: 500,
  /** Origins whose sign-ins were refused, kept per project; one more displaces the one refused longest ago. */
  refusalsPerProject: 100,
  /** Origins per project and flush that are stored separately; per instance, like the next one. */
  refusedOriginsPerFlush: 20,
  /** Refused sign-ins that wait to be stored, of all projects. */
  refusalsWaiting: 1_000,
  /** Messages to sign, and connections; per project and instance, because everyone can use a project's key. */
  walletConnectsPerMinute: 600,
  /** Calls that wait for the Ethereum node at once, per owner of the keys and instance. */
  nodeCallsAtOncePerOwner: 16,
  /** The same of all owners; per instance. */
  nodeCallsAtOnce: 128,
  /** Calls that ask the node, per owner and instance. Those that share another's answer do not count. */
  nodeCallsPerSecondPerOwner: 50,
  /** How long an answer of the node is given to others who ask the same. */
  nodeAnswerSharedMs: 1_000,
  /** Requests that wait for a hosted service or the picture storage at once, per account or client and instance. */
  serviceCallsAtOncePerOwner: 8,
  /** Blocks that one call for transactions reads, by default and at most. */
  transactionBlocks: 10,
  transactionBlocksMax: 20,
  /** A response ends with the block in which it reaches this number. */
  transactionsPerAnswer: 100,
  /** Per owner of the keys and instance; each reads up to `transactionBlocksMax` whole blocks. */
  transactionScansPerMinute: 60,
  /** At once, per instance. */
  transactionScans: 8,
  /** At once, per owner of the keys and instance, so that one owner can't take every slot. */
  transactionScansPerOwner: 4,
  tokenNameMaxCharacters: 64,
  tokenSymbolMaxCharacters: 32,
  /** A project has one list, and so do an account's keys without a project. One more token displaces the oldest. */
  addedTokensPerList: 200,
  /** Per owner of the keys and instance; each reads a contract. */
  tokensAddedPerMinute: 60,
  /** Token lists returned; per owner of the keys and instance. A full list costs many times what other calls do. */
  tokenListsPerSecond: 50,
  /** The browser's own calls to an Ethereum node; the delay doubles with each retry. */
  walletRpcTimeoutMs: 10_000,
  walletRpcRetries: 3,
  walletRpcRetryDelayMs: 150,
  usageRowsPerPage: 100,
  usageRowsPerPageMax: 500,
  usageRangeMaxDays: 400,
  /** Usage queries (figures, rows, pieces of an export) that run at once; per instance, like the next three. */
  usageQuestionsPerUser: 2,
  usageQuestions: 4,
  /** Queries that may wait for a slot. */
  usageQuestionsWaitingPerUser: 10,
  usageQuestionsWaiting: 100,
  usageQuestionWaitMs: 2_000,
  /** A piece of an export waits longer, because a refusal would break the download. */
  exportPieceWaitMs: 30_000,
  /** The Usage page warns from this share of the daily quota. */
  usageQuotaWarnPercent: 80,
  /** Origins of blocked calls, and of calls with a revoked key, that are stored separately, per key and second. */
  refusedOriginsPerKey: 5,
  /** Rows a second for an owner's refused calls, with any number of keys; they do not count against the quota. */
  refusedRowsPerOwner: 20,
  /** How long calls with the keys of a deleted project are recognised. */
  deletedKeysKeptDays: 90,
  exportAddressMs: 60_000,
  exportAddressesPerUser: 10,
  /** Downloads of exports that run; per instance, like the next one. */
  exportDownloadsPerUser: 2,
  exportDownloads: 50,
  /** A download that takes longer is cut. */
  exportDownloadMs: 3_600_000,
  /** Parts of responses that wait for their clients, in all connections of an instance. */
  unreadBytesMax: 64 * 2 ** 20,
  /** Pipelined requests, which no browser sends. */
  requestsWaitingPerConnection: 50,
  /** The same over all connections; per instance. */
  requestsWaiting: 5_000,
  /** Larger bodies count: those of one client address that have not arrived completely, and all; per instance. */
  smallBodyBytes: 16_384,
  bodyBytesPerAddress: 8 * 2 ** 20,
  bodyBytes: 64 * 2 ** 20,
  /** Chunks or packets in which a body may arrive, and one more for each so many bytes; the smallest packets have more. */
  bodyPieces: 2_000,
  bodyPieceBytes: 256,
  /** Of one client address that is no trusted proxy; per instance, like the next one. */
  connectionsPerAddress: 2_000,
  /** Requests of one client address that run at once; more wait in turn. */
  requestsPerAddress: 50,
  /** Requests of one user that run at once; per instance. Browsers send as many at once to one server over HTTP/1.1. */
  requestsPerUser: 6,
  /** Further requests of the user, which wait for those: of many tabs that load at once. */
  requestsWaitingPerUser: 94,
  requestWaitMs: 5_000,
  /** Per client address and instance. */
  readinessChecksPerMinute: 120,
  socketPayloadMaxBytes: 16_384,
  /** What one connection may send; a page sends a few frames, and an answer to a ping every 25 s. */
  socketFramesPerMinute: 300,
  socketBytesPerMinute: 131_072,
  /** How long a socket may take from its upgrade to a valid token. */
  socketSignInMs: 5_000,
  /** A socket is closed after its page has read nothing for this long while data was waiting. */
  slowSocketMs: 15_000,
  /** Sockets of one client address that have not authenticated yet; per instance. */
  socketsSigningInPerAddress: 60,
  liveRowsPerPush: 200,
  livePushEveryMs: 100,
  /** Per instance. */
  socketsPerUser: 20,
  /** New sockets of one user, and of one client address, which an office may share; per instance. */
  socketsOpenedPerMinute: 120,
  socketsOpenedPerAddressPerMinute: 600,
  /** A page of the portal resumes once per connection. */
  resumesPerConnection: 5,
  /** Per user and instance. */
  resumesPerMinute: 120,
  forumTitleMaxCharacters: 150,
  /** Of a post or a reply, as Markdown. */
  forumContentMaxCharacters: 20_000,
  /** Of a report, or of an act of an administrator. */
  forumReasonMaxCharacters: 300,
  forumSearchMaxCharacters: 200,
  /** Of all posts and replies of an account, as Markdown and as HTML; on disk, with the search index, up to three times. */
  forumBytesPerUser: 30_000_000,
  forumRowsPerPage: 20,
  forumRowsPerPageMax: 50,
  /** Of the texts of a page of replies, as Markdown and as HTML; a page of long replies has fewer. */
  forumPageBytes: 400_000,
  forumPinnedPosts: 5,
  /** Posts with one author, title and content within this time are one. */
  forumDuplicateMs: 60_000,
  /** Per user and instance, like the next two. */
  forumPostsPerHour: 20,
  forumRepliesPerHour: 100,
  forumChangesPerHour: 300,
  /** New posts and replies; per client address and instance. */
  forumWritesPerAddressPerHour: 300,
  /** Previews, per user and instance. */
  forumPreviewsPerMinute: 60,
  /** Searches, per client address and instance; pages search while a reader types. */
  forumSearchesPerMinute: 300,
  forumReportsPerHour: 20,
  /** How many changes of the community each instance remembers for visitors, and how often their pages ask. */
  forumNewsKept: 200,
  forumNewsEveryMs: 15_000,
  forumMutedListed: 100,
  forumReportsListed: 100,
  /** What the list of reports shows of a reported text. */
  forumReportReasons: 5,
  forumReportCharacters: 500,
  /** An account's first posts and replies may have few links. */
  forumNewcomerPosts: 3,
  forumNewcomerLinks: 2,
} as const;
