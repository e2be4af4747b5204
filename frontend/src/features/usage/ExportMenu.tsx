import { DownloadOutlined } from '@ant-design/icons';
import { exportFormats, type ExportFormat } from '@orange-id/contract/usage.export.schema';
import { Button, Dropdown } from 'antd';
import { useRef, useState, type KeyboardEvent } from 'react';
import { exportUsage } from '../../api/usage/export.usage';
import { failureText } from '../../api/failure.text';
import { useToast } from '../../ui/toast';
import { filtersOf, type UsageView } from './usage.view';

const names: Record<ExportFormat, [name: string, help: string]> = {
  csv: ['CSV', 'for spreadsheets, as UTF-8 with a byte-order mark'],
  ndjson: ['NDJSON', 'one JSON object per line'],
};

interface ExportMenuProps {
  view: UsageView;
  /** Whether the view is known to contain no calls. */
  isEmpty: boolean;
}

/** Downloads the calls of the view as of the click. */
export function ExportMenu({ view, isEmpty }: ExportMenuProps) {
  const showToast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  const download = async (format: ExportFormat) => {
    setIsAsking(true);
    try {
      const { fileName } = await exportUsage({ format, filters: filtersOf(view, Date.now()) });
      showToast({
        title: 'Export Started',
        description: `Your browser is downloading ${fileName}.`,
        tone: 'success',
      });
    } catch (error) {
      showToast({ title: 'Export Failed', description: failureText(error), tone: 'error' });
    } finally {
      setIsAsking(false);
    }
  };
  // The menu is elsewhere in the document, so the focus would be lost when Escape closes it.
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') button.current?.focus();
  };
  return (
    <span onKeyDown={onKeyDown}>
      <Dropdown
        trigger={['click']}
        disabled={isEmpty}
        placement="bottomRight"
        autoFocus
        menu={{
          items: exportFormats.map((format) => ({
            key: format,
            label: (
              <>
                {names[format][0]} <span className="note">{names[format][1]}</span>
              </>
            ),
          })),
          onClick: ({ key }) => {
            button.current?.focus();
            void download(key as ExportFormat);
          },
        }}
      >
        <Button ref={button} icon={<DownloadOutlined aria-hidden />} loading={isAsking} aria-haspopup="menu">
          Export
        </Button>
      </Dropdown>
    </span>
  );
}
