import { limits } from '@orange-id/contract/limits';
import { useEffect, useRef, useState, type RefObject } from 'react';
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
  onCopied?: () => void;
}

/** A snippet with a copy button (2 s feedback). Long lines scroll sideways, also by keyboard. */
export function CodeBlock({ code, shown = code, label, language, onCopied }: CodeBlockProps) {
  const isMasked = shown !== code;
  const box = useRef<HTMLPreElement>(null);
  const isScrollable = useIsScrollable(box, shown);
  return (
    <figure className="code-block">
      <figcaption className="code-block-bar">
        <span>
          {language ?? label}
          {isMasked && ' · Copy includes the full key'}
        </span>
        <CopyButton
          text={code}
          label={label}
          feedbackMs={limits.codeCopyFeedbackMs}
          type="text"
          size="small"
          {...(onCopied ? { onCopied } : {})}
        />
      </figcaption>
      <pre
        ref={box}
        role="group"
        aria-label={label}
        tabIndex={isScrollable ? 0 : undefined}
        className={isMasked ? 'code-block-masked' : undefined}
      >
        <code>{shown}</code>
      </pre>
    </figure>
  );
}

/** Whether the text is wider than its box: then the box takes the focus, and the arrow keys scroll it. */
function useIsScrollable(box: RefObject<HTMLElement | null>, text: string): boolean {
  const [isScrollable, setIsScrollable] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setIsScrollable(element.scrollWidth > element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, text]);
  return isScrollable;
}
