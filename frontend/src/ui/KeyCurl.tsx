import { curlFor, meteredPaths } from '@orange-id/contract/metered.paths';
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
  const commandWith = (key: string) => curlFor(meteredPaths.key, { baseUrl: publicUrl, apiKey: key });
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
