import { limits } from '@orange-id/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { Mentions, Segmented, Skeleton } from 'antd';
import { useState, type ClipboardEvent, type Ref } from 'react';
import { previewMarkdown } from '../../api/community/forum.calls';
import { queryKeys } from '../../api/cache/query.keys';
import { useAuth } from '../../api/session/auth.context';
import { Field } from '../../ui/Field';
import { QueryFailure } from '../../ui/LoadFailure';
import { PostText } from './PostText';
import styles from './community.module.css';

interface MarkdownFieldProps {
  label: string;
  value: string;
  error?: string | null;
  rows: number;
  isReadOnly: boolean;
  /** Names that `@` offers. */
  names?: readonly string[];
  field?: Ref<{ focus: () => void } | null>;
  onChange: (value: string) => void;
}

/** Why a paste is refused; `null` if it isn't. Some programs copy a picture of a text beside the text. */
function pasteRefusal({ clipboardData }: ClipboardEvent): string | null {
  const hasImage = [...clipboardData.files].some(({ type }) => type.startsWith('image/'));
  return hasImage && clipboardData.getData('text/plain') === ''
    ? 'Posts have no images. Upload the image elsewhere and add a link to it.'
    : null;
}

/** A field for Markdown, with a preview made by the server. */
export function MarkdownField(props: MarkdownFieldProps) {
  const { label, value, error, rows, isReadOnly, names = [], field, onChange } = props;
  const { isAuthenticated } = useAuth();
  const [isPreview, setIsPreview] = useState(false);
  const [refused, setRefused] = useState<{ reason: string; beside: string } | null>(null);
  // Whatever changes the text, such as publishing it, ends the refusal.
  const refusal = refused?.beside === value ? refused.reason : null;
  const length = [...value].length;
  const isLong = length > limits.forumContentMaxCharacters * 0.9;
  return (
    <div className={styles.markdown}>
      {isAuthenticated && (
        <Segmented<'write' | 'preview'>
          className={styles.markdownModes ?? ''}
          size="small"
          aria-label={`${label}: write or preview`}
          value={isPreview ? 'preview' : 'write'}
          options={[
            { value: 'write', label: 'Write' },
            { value: 'preview', label: 'Preview' },
          ]}
          onChange={(mode) => setIsPreview(mode === 'preview')}
        />
      )}
      <Field
        label={label}
        error={error ?? refusal}
        help={
          isLong
            ? `${length} of ${limits.forumContentMaxCharacters} characters`
            : 'Markdown: **bold**, `code`, lists, links, and ``` around blocks of code.'
        }
      >
        {({ status, ...control }) =>
          isPreview ? (
            <div id={control.id} role="group" aria-label={`Preview of ${label}`} className={styles.preview}>
              <Preview content={value} />
            </div>
          ) : (
            <Mentions
              {...control}
              {...(status && { status })}
              ref={field as never}
              rows={rows}
              autoSize={{ minRows: rows, maxRows: 24 }}
              readOnly={isReadOnly}
              value={value}
              options={names.map((name) => ({ value: name, label: name }))}
              onChange={onChange}
              // Browsers scroll to the caret only, which can leave the field's edge below the header.
              onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'nearest' })}
              onPaste={(event) => {
                const reason = pasteRefusal(event);
                setRefused(reason === null ? null : { reason, beside: value });
                if (reason !== null) event.preventDefault();
              }}
            />
          )
        }
      </Field>
    </div>
  );
}

function Preview({ content }: { content: string }) {
  const text = content.trim();
  const query = useQuery({
    queryKey: [...queryKeys.forum, 'preview', text],
    queryFn: ({ signal }) => previewMarkdown(text, signal),
    enabled: text !== '',
    gcTime: 0,
  });
  if (text === '') return <span className="note">Nothing to preview yet.</span>;
  if (query.error) return <QueryFailure title="Failed to load the preview" query={query} />;
  if (!query.data)
    return (
      <div role="status" aria-label="Loading the preview">
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      </div>
    );
  return <PostText html={query.data.html} level={2} />;
}
