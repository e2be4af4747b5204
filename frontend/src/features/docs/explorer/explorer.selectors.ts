import { problemsOf, startOf, type CallDraft, type CallProblems } from './explorer.fields';
import type { ExplorerContext, OfferedKey, SentCall } from './explorer.types';

/** The draft for the selected endpoint. */
export const draftOf = ({ endpoint, drafts }: Pick<ExplorerContext, 'endpoint' | 'drafts'>): CallDraft =>
  drafts[endpoint] ?? startOf(endpoint);

/** The key to call with; empty if there is none yet. */
export const apiKeyOf = ({ offered, chosen, typed }: ExplorerContext): string =>
  chosen === null ? typed.trim() : (chosenOf({ offered, chosen })?.key ?? '');

/** The key that was chosen by name; `undefined` if one is typed. */
export const chosenOf = ({
  offered,
  chosen,
}: Pick<ExplorerContext, 'offered' | 'chosen'>): OfferedKey | undefined =>
  offered.find(({ id }) => id === chosen);

/** The problems of the call as it is filled in now. */
export const problemsNow = (context: ExplorerContext): CallProblems =>
  problemsOf(context.endpoint, draftOf(context), apiKeyOf(context));

/** The change that replaces a part of the selected endpoint's draft. */
export const drafted = (context: ExplorerContext, part: Partial<CallDraft>): Partial<ExplorerContext> => ({
  drafts: { ...context.drafts, [context.endpoint]: { ...draftOf(context), ...part } },
});

/** The call as it is filled in now. */
export const callOf = (context: ExplorerContext): SentCall => ({
  endpoint: context.endpoint,
  draft: draftOf(context),
  apiKey: apiKeyOf(context),
  keyId: chosenOf(context)?.usageId ?? null,
});
