import { curlFor } from '@orange-id/contract/call.snippets';
import { keyPath } from '@orange-id/contract/first.call';
import { useConfig } from '../api/config/config.context';
import { CodeBlock } from './CodeBlock';
import { maskKey } from './mask.key';

interface KeyCurlProps {
  apiKey: string;
  isRevealed?: boolean;
  onCopied?: () => void;
}

/** The command for a first call with a key; the key is masked until it is revealed. */
export function KeyCurl({ apiKey, isRevealed = false, onCopied }: KeyCurlProps) {
  const { publicUrl } = useConfig();
  const commandWith = (key: string) => curlFor(keyPath, { baseUrl: publicUrl, apiKey: key });
  return (
    <CodeBlock
      label="curl command"
      language="Terminal"
      code={commandWith(apiKey)}
      {...(onCopied ? { onCopied } : {})}
      shown={commandWith(isRevealed ? apiKey : maskKey(apiKey))}
    />
  );
}
