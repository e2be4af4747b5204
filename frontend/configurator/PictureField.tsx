import { UploadOutlined } from '@ant-design/icons';
import { Button, Flex, Input } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { Setting } from './Setting';

interface PictureFieldProps {
  label: string;
  /** An uploaded picture's path, an https URL, or empty. */
  value: string;
  /** What is wrong with the value. */
  problem?: string | undefined;
  help?: string;
  /** Another object after each change and each save: what failed before it is no longer shown. */
  revision: object;
  onChange(value: string): void;
  /** Rejects with the reason to show. */
  upload(file: File): Promise<string>;
}

const isUpload = (value: string): boolean => value.startsWith('/pictures/');

/** A picture: uploaded here, or an https URL that only the visitor's browser requests. */
export function PictureField({ label, value, problem, help, revision, onChange, upload }: PictureFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<{ text: string; revision: object } | null>(null);
  const [isBusy, setBusy] = useState(false);
  // The look may change while a file is on its way; what it was when the upload began must not come back.
  const latest = useRef({ onChange, revision });
  useEffect(() => {
    latest.current = { onChange, revision };
  });
  const take = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    setFailure(null);
    try {
      const picture = await upload(file);
      latest.current.onChange(picture);
    } catch (error) {
      setFailure({ text: (error as Error).message, revision: latest.current.revision });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Setting
      label={label}
      htmlFor={id}
      problem={failure?.revision === revision ? failure.text : problem}
      {...(help !== undefined && { help })}
    >
      <Input
        id={id}
        type="url"
        placeholder="https://"
        value={isUpload(value) ? 'Uploaded picture' : value}
        readOnly={isUpload(value)}
        {...(problem !== undefined && { status: 'error' as const })}
        onChange={({ target }) => onChange(target.value.trim())}
      />
      <Flex gap={8}>
        <Button
          icon={<UploadOutlined aria-hidden />}
          loading={isBusy}
          aria-label={`Upload ${label}`}
          onClick={() => input.current?.click()}
        >
          Upload
        </Button>
        {value !== '' && (
          <Button aria-label={`Remove ${label}`} onClick={() => onChange('')}>
            Remove
          </Button>
        )}
      </Flex>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          void take(target.files?.[0]);
          target.value = '';
        }}
      />
    </Setting>
  );
}
