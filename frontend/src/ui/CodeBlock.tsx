import { limits } from '@orange-id/contract/limits';
import { Fragment } from 'react';
import { CopyButton } from './CopyButton';
import './ui.css';

interface CodeBlockProps {
  code: string;
  /**
   * What stands in place of `code` on the screen: the same with its key masked. The button copies `code`; this, which
   * would not work, cannot be selected.
   */
  shown?: string;
  /** What the snippet is, for screen readers and the copy button: `curl command`. */
  label: string;
  /** What stands above the snippet, where that is not its label. */
  language?: string;
}

/** A snippet with a copy button (2 s feedback, spec §9). Long lines wrap; what is copied has only its own line ends. */
export function CodeBlock({ code, shown = code, label, language }: CodeBlockProps) {
  const isMasked = shown !== code;
  return (
    <figure className="code-block">
      <figcaption className="code-block-bar">
        <span>
          {language ?? label}
          {isMasked && ' (key hidden: use Copy)'}
        </span>
        <CopyButton
          text={code}
          label={label}
          feedbackMs={limits.codeCopyFeedbackMs}
          type="text"
          size="small"
        />
      </figcaption>
      <pre role="group" aria-label={label} className={isMasked ? 'code-block-masked' : undefined}>
        <code>{withBreaks(shown)}</code>
      </pre>
    </figure>
  );
}

/** A long address may wrap after its slashes, before it has to wrap anywhere. */
const withBreaks = (text: string) =>
  text.match(/[^/]*\/*/g)?.map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
