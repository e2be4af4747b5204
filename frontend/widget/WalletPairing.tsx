import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { brandPalette } from '@orange-id/contract/brand.palette';
import { copyText } from '@orange-id/contract/copy.text';
import { limits } from '@orange-id/contract/limits';
import { Button, QRCode } from 'antd';
import { useEffect, useState } from 'react';

interface WalletPairingProps {
  /** The content of the code; null until the relay has offered it. */
  uri: string | null;
  buttonClass?: string;
  onCancel(): void;
}

/** The code for a wallet on another device, and a link for a wallet on this one. */
export function WalletPairing({ uri, buttonClass, onCancel }: WalletPairingProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);

  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), limits.copyFeedbackMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(link: string): Promise<void> {
    try {
      await copyText(link);
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
  }

  const word =
    outcome === 'copied' ? 'Copied!' : outcome === 'refused' ? 'Couldn’t copy the link' : 'Copy link';
  return (
    <div className="oid-login-stack oid-login-progress">
      <p className="oid-login-note">
        Open a wallet app on your phone, scan the code and approve the connection. The code expires after 5
        minutes.
      </p>
      {/* Dark on light in both themes, because many cameras cannot read a light code on a dark background. */}
      <div role="img" aria-label="QR code for your wallet app" className="oid-login-code">
        <QRCode
          type="svg"
          size={232}
          errorLevel="M"
          value={uri ?? ' '}
          status={uri ? 'active' : 'loading'}
          color={brandPalette.light.colorText}
          bgColor="white"
        />
      </div>
      <div className="oid-login-code-acts">
        <Button
          className={buttonClass}
          icon={outcome === 'copied' ? <CheckOutlined aria-hidden /> : <CopyOutlined aria-hidden />}
          disabled={!uri}
          onClick={() => uri && void copy(uri)}
        >
          {word}
        </Button>
        <Button className={buttonClass} disabled={!uri} href={uri ?? undefined}>
          Open a wallet on this device
        </Button>
      </div>
      <Button type="text" onClick={onCancel} data-focus>
        Cancel
      </Button>
    </div>
  );
}
