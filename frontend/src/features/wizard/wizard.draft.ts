import { z } from 'zod';
import { draftStore } from '../../api/projects/draft.storage';

const wizardDraft = z.object({
  step: z.enum(['naming', 'addingUrls']),
  projectName: z.string(),
  urlText: z.string(),
  urls: z.array(z.string()),
  /** Texts for the missing profile fields. */
  profileTexts: z
    .object({ email: z.string(), displayName: z.string() })
    .default({ email: '', displayName: '' }),
});
/** Unsent input of the wizard. */
export type WizardDraft = z.infer<typeof wizardDraft>;

export const wizardDrafts = draftStore('wizardDraft', wizardDraft);

export const emptyDraft: WizardDraft = {
  step: 'naming',
  projectName: '',
  urlText: '',
  urls: [],
  profileTexts: { email: '', displayName: '' },
};
