import { z } from 'zod';
import { limits } from './limits.js';
import { hasInvisibleCharacters } from './text.rule.js';

/** A project's code, its public id: `orange-` and ten lowercase letters or digits. */
export const projectCodePattern = /^orange-[0-9a-z]{10}$/;

/** Wire shapes of the project service (spec §3 and §7). */
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

export const createProject = z.strictObject({
  // The name's own rule is asked later; this only bounds what it has to look at.
  projectName: z.string().max(1000, `must have at most ${limits.projectNameMaxCharacters} characters`),
  whitelistURL: z
    .array(z.string().max(limits.whitelistUrlMaxCharacters))
    .min(1, 'must hold at least one URL')
    .max(limits.whitelistUrlsPerProject, `must hold at most ${limits.whitelistUrlsPerProject} URLs`),
  source: z
    .string()
    .max(200, 'must have at most 200 characters')
    .refine((text) => !hasInvisibleCharacters(text), 'must not hold invisible or control characters')
    .optional(),
});
export type CreateProject = z.infer<typeof createProject>;

export const createdProject = z.object({ projectId: z.string(), apiKey: z.string() });
export type CreatedProject = z.infer<typeof createdProject>;

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
