import { forumCategories, newForumPost } from '@orange-id/contract/forum.schema';
import { Input, Select, type InputRef } from 'antd';
import type { RefObject } from 'react';
import { Field } from '../../ui/Field';
import { MarkdownField } from './MarkdownField';
import type { PostDraft } from './post.drafts';
import styles from './community.module.css';

export type PostErrors = Partial<Record<'title' | 'content', string>>;

/** What is wrong with a draft, by field. */
export function postErrorsOf(draft: PostDraft): PostErrors {
  const issues = newForumPost.safeParse(draft).error?.issues ?? [];
  const wordOf = (field: 'title' | 'content', name: string) => {
    const message = issues.find(({ path }) => path[0] === field)?.message;
    if (message === undefined) return {};
    const isEmpty = draft[field].trim() === '';
    return {
      [field]: isEmpty ? `Enter ${field === 'title' ? 'a title' : 'some text'}.` : `${name} ${message}`,
    };
  };
  return { ...wordOf('title', 'Title'), ...wordOf('content', 'Content') };
}

interface PostFieldsProps {
  draft: PostDraft;
  errors: PostErrors;
  isReadOnly: boolean;
  title: RefObject<InputRef | null>;
  content: RefObject<{ focus: () => void } | null>;
  /** Below the title. */
  similar?: React.ReactNode;
  onChange: (draft: PostDraft) => void;
}

/** The fields of a post. */
export function PostFields({
  draft,
  errors,
  isReadOnly,
  title,
  content,
  similar,
  onChange,
}: PostFieldsProps) {
  return (
    <div className={styles.form}>
      <Field label="Title" error={errors.title ?? null} help="Say what it is about in one line.">
        {({ status, ...control }) => (
          <Input
            {...control}
            status={status}
            ref={title}
            dir="auto"
            autoComplete="off"
            readOnly={isReadOnly}
            value={draft.title}
            onChange={({ target }) => onChange({ ...draft, title: target.value })}
          />
        )}
      </Field>
      {similar}
      <Field label="Category">
        {({ status: _, ...control }) => (
          <Select
            {...control}
            className={styles.category ?? ''}
            disabled={isReadOnly}
            value={draft.category}
            options={forumCategories.map((value) => ({ value, label: value }))}
            onChange={(category) => onChange({ ...draft, category })}
          />
        )}
      </Field>
      <MarkdownField
        label="Content"
        rows={10}
        error={errors.content ?? null}
        isReadOnly={isReadOnly}
        field={content}
        value={draft.content}
        onChange={(text) => onChange({ ...draft, content: text })}
      />
    </div>
  );
}
