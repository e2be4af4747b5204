import { z } from 'zod';
import { limits } from './limits.js';
import { hasInvisibleCharacters } from './text.rule.js';

export { projectCode as projectCodePattern } from './project.code.js';

/** Wire shapes of the project service. */
export const project = z.object({
  id: z.string(),
  code: z.string(),
  projectName: z.string(),
  apiKey: z.string(),
  urls: z.array(z.string()),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
});
export type Project = z.infer<typeof project>;

export const projectList = z.array(project);

// Names and URLs have their own rules, which run later; this only bounds their input.
const projectName = z.string().max(1000, `must have at most ${limits.projectNameMaxCharacters} characters`);
const whitelistUrl = z.string().max(limits.whitelistUrlMaxCharacters);
const whitelistUrls = z
  .array(whitelistUrl)
  .min(1, 'must contain at least one URL')
  .max(limits.whitelistUrlsPerProject, `must contain at most ${limits.whitelistUrlsPerProject} URLs`);

export const createProject = z.strictObject({
  projectName,
  whitelistURL: whitelistUrls,
  source: z
    .string()
    .max(200, 'must have at most 200 characters')
    .refine((text) => !hasInvisibleCharacters(text), 'must not contain invisible or control characters')
    .optional(),
});
export type CreateProject = z.infer<typeof createProject>;

export const createdProject = z.object({ projectId: z.string(), apiKey: z.string() });
export type CreatedProject = z.infer<typeof createdProject>;

/**
 * `POST /devportal/v1/project/whitelist-urls`. Clients of the hosted service name a user; only the token decides who
 * asks, so `userId` is ignored.
 */
export const addWhitelistUrls = z.strictObject({
  code: z.string().max(100),
  projectName,
  urls: whitelistUrls,
  userId: z.string().max(200).optional(),
});
export type AddWhitelistUrls = z.infer<typeof addWhitelistUrls>;

/** `urls`: all allowed URLs of the project after the change. */
export const whitelistAnswer = z.object({ success: z.boolean(), urls: z.array(z.string()) });
export type WhitelistAnswer = z.infer<typeof whitelistAnswer>;

/** The origins of a project that no URL names: browser extensions, and `null`. Calls from them are allowed, no sign-in. */
export const otherOrigins = z.strictObject({
  origins: z
    .array(z.string().max(255, 'must have at most 255 characters'))
    .max(limits.otherOriginsPerProject, `must contain at most ${limits.otherOriginsPerProject} origins`),
});
export type OtherOrigins = z.infer<typeof otherOrigins>;

/** `DELETE /devportal/v1/project/whitelist`. */
export const removeWhitelistUrl = z.strictObject({
  projectName,
  code: z.string().max(100),
  url: whitelistUrl,
});
export type RemoveWhitelistUrl = z.infer<typeof removeWhitelistUrl>;

/** `deleted`: the number of removed URLs, one or none. */
export const removedWhitelistUrl = z.object({ success: z.boolean(), deleted: z.number().int() });
export type RemovedWhitelistUrl = z.infer<typeof removedWhitelistUrl>;

/** `POST /devportal/v1/project/generateKey`; the response is the new key as plain text. */
export const generateKey = z.strictObject({ projectName });
export type GenerateKey = z.infer<typeof generateKey>;

/** `PATCH /api/projects/:code`; the response has the name as it is stored. */
export const renameProject = z.strictObject({ projectName });
export type RenameProject = z.infer<typeof renameProject>;
export const renamedProject = z.object({ projectName: z.string() });
export type RenamedProject = z.infer<typeof renamedProject>;

/** An entry of `submittedProjects` in the browser's storage. */
export const submittedProject = z.object({
  id: z.string(),
  name: z.string(),
  submittedAt: z.string(),
  whitelistedUrls: z.array(z.string()),
  integrationMethod: z.string(),
  status: z.string(),
});
export type SubmittedProject = z.infer<typeof submittedProject>;
