import { limits } from '@orange-id/contract/limits';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { CopyButton } from './CopyButton';
import './ui.css';

interface CodeBlockProps {
  code: string;
  /**
   * Displayed instead of `code`: the same text with the key masked. The button copies `code`. The masked text can't be
   * selected, because it wouldn't work.
   */
  shown?: string;
  /** Names the snippet for screen readers and the copy button, such as `curl command`. */
  label: string;
  /** The heading of the snippet if it differs from its label. */
  language?: string;
  onCopied?: () => void;
  /** Whether the copy button is rendered; true by default. A page with many snippets can add the buttons later. */
  hasCopy?: boolean;
}

/** A snippet with a copy button (feedback for 2 s). Long lines scroll sideways, also by keyboard. */
export function CodeBlock({ code, shown = code, label, language, onCopied, hasCopy = true }: CodeBlockProps) {
  const isMasked = shown !== code;
  const box = useRef<HTMLPreElement>(null);
  const isScrollable = useIsScrollable(box, shown);
  return (
    <figure className="code-block">
      <figcaption className="code-block-bar">
        <span>{`${language ?? label}${isMasked ? ' · Copy includes the full key' : ''}`}</span>
        {hasCopy && (
          <CopyButton
            text={code}
            label={label}
            feedbackMs={limits.codeCopyFeedbackMs}
            type="text"
            size="small"
            {...(onCopied ? { onCopied } : {})}
          />
        )}
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

/** Whether the text is larger than its box; if so, the box can be focused and scrolled with the arrow keys. */
function useIsScrollable(box: RefObject<HTMLElement | null>, text: string): boolean {
  const [isScrollable, setIsScrollable] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () =>
      setIsScrollable(
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // The text changes its size without the box when its font arrives.
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [box, text]);
  return isScrollable;
}
