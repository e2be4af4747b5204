import {
  DownloadOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  HistoryOutlined,
  LoadingOutlined,
  RedoOutlined,
  UndoOutlined,
  UploadOutlined,
} from '@ant-design/icons';
import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import type { AppearanceVersion } from '@orange-id/contract/appearance.schema';
import { useSelector } from '@xstate/react';
import { Alert, Button, Drawer, Flex, Modal, Segmented, Space, Tooltip, Typography } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ActorRefFrom } from 'xstate';
import { absoluteTime, formatAgo } from '@orange-id/contract/shown.time';
import { isComposing, shortcutLetter } from '@orange-id/contract/typed.key';
import { Controls } from './Controls';
import { isSameLook, isUnsaved, savedLook, type editorMachine } from './editor.machine';
import { fieldName, parseLook, problemsOf, withoutRefused } from './look.problems';
import { drawPreview } from './preview.picture';
import { PreviewConsent } from './PreviewConsent';
import { PreviewPanel, previewStates, type PreviewState } from './PreviewPanel';

interface EditorProps {
  actor: ActorRefFrom<typeof editorMachine>;
  /** The scheme of the page around the frame, which the preview starts with. */
  pageScheme: 'light' | 'dark';
  isFullScreen: boolean;
  onFullScreen(isOn: boolean): void;
  upload(file: File): Promise<string>;
}

const stateTitles: Record<PreviewState | 'consent', string> = {
  choice: 'Start',
  email: 'Email',
  wallet: 'Wallet',
  error: 'Error',
  busy: 'Busy',
  consent: 'Consent',
};

/** The configurator: controls at the left, the live panel at the right, what is done with the look above. */
export function Editor({ actor, pageScheme, isFullScreen, onFullScreen, upload }: EditorProps) {
  const snapshot = useSelector(actor, (state) => state);
  const { look, project, versions, failure } = snapshot.context;
  const [chosenScheme, setScheme] = useState(pageScheme);
  // A look that has one scheme only is shown in that one.
  const scheme = look.mode === 'system' ? chosenScheme : look.mode;
  const [device, setDevice] = useState<'wide' | 'phone'>('wide');
  const [state, setState] = useState<PreviewState | 'consent'>('choice');
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [importFailure, setImportFailure] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const revision = useMemo(() => ({ look, versions }), [look, versions]);
  const isBusy = snapshot.matches('saving');
  const hasUnsaved = isUnsaved(snapshot.context);
  const problems = useMemo(() => problemsOf(look), [look]);
  const safeLook = useMemo(() => withoutRefused(look, problems), [look, problems]);
  const [view, setView] = useState<'settings' | 'preview'>('settings');
  const change = (next: Appearance, field: string) => {
    setImportFailure(null);
    actor.send({ type: 'look.change', look: next, field });
  };
  const save = () => actor.send({ type: 'look.save', preview: drawPreview(look) });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // The page around the frame hears no key that is pressed in it. Escape closes what is open above the editor first.
      if (event.key === 'Escape' && isFullScreen && !isCovered() && !isComposing(event)) onFullScreen(false);
      if (!(event.ctrlKey || event.metaKey) || isComposing(event)) return;
      // A text field undoes its own typing.
      if (event.target instanceof HTMLInputElement && event.target.type !== 'range') return;
      const key = shortcutLetter(event);
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      actor.send({ type: key === 'y' || event.shiftKey ? 'change.redo' : 'change.undo' });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [actor, isFullScreen, onFullScreen]);

  const importFile = async (chosen: File | undefined) => {
    if (!chosen) return;
    const read = await readLook(chosen);
    if ('problem' in read) setImportFailure(read.problem);
    else change(read.look, 'import');
  };

  return (
    <div className="editor" data-machine="configurator" data-state={String(snapshot.value)}>
      <header className="bar">
        <Flex align="center" gap={8} wrap>
          <h1 className="project">{project.name}</h1>
          <Typography.Text type="secondary" role="status">
            {isBusy
              ? 'Saving…'
              : hasUnsaved
                ? 'Unsaved changes'
                : versions.length > 0
                  ? 'Saved'
                  : 'Default look'}
          </Typography.Text>
        </Flex>
        <Flex gap={8} wrap align="center">
          <Space.Compact>
            <Tooltip title="Undo">
              <Button
                icon={<UndoOutlined aria-hidden />}
                aria-label="Undo"
                disabled={!snapshot.can({ type: 'change.undo' })}
                onClick={() => actor.send({ type: 'change.undo' })}
              />
            </Tooltip>
            <Tooltip title="Redo">
              <Button
                icon={<RedoOutlined aria-hidden />}
                aria-label="Redo"
                disabled={!snapshot.can({ type: 'change.redo' })}
                onClick={() => actor.send({ type: 'change.redo' })}
              />
            </Tooltip>
          </Space.Compact>
          <Button
            disabled={isBusy || isSameLook(look, defaultAppearance)}
            onClick={() => change(defaultAppearance, 'reset.all')}
          >
            Reset to Defaults
          </Button>
          <Space.Compact>
            <Tooltip title="Export as JSON">
              <Button
                icon={<DownloadOutlined aria-hidden />}
                aria-label="Export as JSON"
                onClick={() => exportLook(look, project.code)}
              />
            </Tooltip>
            <Tooltip title="Import JSON">
              <Button
                icon={<UploadOutlined aria-hidden />}
                aria-label="Import JSON"
                onClick={() => file.current?.click()}
              />
            </Tooltip>
            <Tooltip title="Version history">
              <Button
                icon={<HistoryOutlined aria-hidden />}
                aria-label="Version history"
                onClick={() => setHistoryOpen(true)}
              />
            </Tooltip>
            <Tooltip title={isFullScreen ? 'Leave full screen' : 'Full screen'}>
              <Button
                icon={
                  isFullScreen ? <FullscreenExitOutlined aria-hidden /> : <FullscreenOutlined aria-hidden />
                }
                aria-label={isFullScreen ? 'Leave full screen' : 'Full screen'}
                onClick={() => onFullScreen(!isFullScreen)}
              />
            </Tooltip>
          </Space.Compact>
          <Button
            type="primary"
            icon={isBusy && <LoadingOutlined aria-hidden />}
            disabled={!snapshot.can({ type: 'look.save', preview: null }) || problems.size > 0}
            onClick={save}
          >
            Save
          </Button>
        </Flex>
        <input
          ref={file}
          type="file"
          accept="application/json,.json"
          hidden
          onChange={({ target }) => {
            void importFile(target.files?.[0]);
            target.value = '';
          }}
        />
        <div className="views">
          <Segmented
            block
            aria-label="View"
            value={view}
            options={[
              { value: 'settings', label: 'Settings' },
              { value: 'preview', label: 'Preview' },
            ]}
            onChange={setView}
          />
        </div>
      </header>
      {[
        failure && `Not saved. ${failure.charAt(0).toUpperCase()}${failure.slice(1)}`,
        importFailure,
        problems.size > 0 && `To save, correct ${listOf([...problems.keys()].map(fieldName))}.`,
      ]
        .filter((text) => typeof text === 'string')
        .map((text) => (
          <Alert key={text} banner type="error" role="alert" title={text} />
        ))}
      <main className="columns" data-view={view}>
        <section className="controls" aria-label="Settings">
          <Controls
            look={look}
            scheme={scheme}
            problems={problems}
            revision={revision}
            onChange={change}
            upload={upload}
          />
        </section>
        <section className="stage" aria-label="Preview">
          <Flex gap={8} wrap justify="center">
            <Segmented
              aria-label="State"
              value={state}
              options={[...previewStates, 'consent' as const].map((value) => ({
                value,
                label: stateTitles[value],
              }))}
              onChange={setState}
            />
            <Tooltip
              title={
                look.mode === 'system'
                  ? ''
                  : `This look is always ${look.mode}. Choose System under Colours to see both schemes.`
              }
            >
              <div>
                <Segmented
                  aria-label="Scheme"
                  value={scheme}
                  disabled={look.mode !== 'system'}
                  options={[
                    { value: 'light', label: 'Light' },
                    { value: 'dark', label: 'Dark' },
                  ]}
                  onChange={setScheme}
                />
              </div>
            </Tooltip>
            <Segmented
              aria-label="Size"
              value={device}
              options={[
                { value: 'wide', label: 'Wide' },
                { value: 'phone', label: 'Phone' },
              ]}
              onChange={setDevice}
            />
          </Flex>
          <div className={`canvas ${scheme} ${device} ${state === 'consent' ? '' : look.layout}`}>
            {state === 'consent' ? (
              <PreviewConsent appName={project.name} look={safeLook} scheme={scheme} />
            ) : (
              <PreviewPanel look={safeLook} scheme={scheme} state={state} appName={project.name} />
            )}
          </div>
        </section>
      </main>
      <History
        isOpen={isHistoryOpen}
        versions={versions}
        onClose={() => setHistoryOpen(false)}
        onRestore={(version) => {
          change(version.appearance, `restore.${version.version}`);
          setHistoryOpen(false);
        }}
      />
      <Modal
        open={snapshot.matches('comparing')}
        title="Saved elsewhere"
        className="comparing"
        width={640}
        centered
        closable={false}
        maskClosable={false}
        keyboard={false}
        footer={
          <>
            <Button onClick={() => actor.send({ type: 'conflict.take' })}>Use the newer look</Button>
            <Button type="primary" onClick={() => actor.send({ type: 'conflict.keep' })}>
              Keep mine
            </Button>
          </>
        }
      >
        <p>
          {`${versions[0]?.savedBy ?? 'Somebody'} saved this project’s look at ${versions[0] ? absoluteTime(versions[0].savedAt) : ''}, after you opened it. Keep yours and save again, or use the newer one; you can undo that.`}
        </p>
        <div className="compare">
          <figure>
            <figcaption>Yours</figcaption>
            <div>
              <PreviewPanel look={safeLook} scheme={scheme} state="choice" appName={project.name} />
            </div>
          </figure>
          <figure>
            <figcaption>Newer</figcaption>
            <div>
              <PreviewPanel
                look={savedLook(versions)}
                scheme={scheme}
                state="choice"
                appName={project.name}
              />
            </div>
          </figure>
        </div>
      </Modal>
    </div>
  );
}

function History({
  isOpen,
  versions,
  onClose,
  onRestore,
}: {
  isOpen: boolean;
  versions: readonly AppearanceVersion[];
  onClose(): void;
  onRestore(version: AppearanceVersion): void;
}) {
  return (
    <Drawer open={isOpen} onClose={onClose} title="Version history" size={360}>
      {versions.length === 0 ? (
        <Typography.Text type="secondary">
          Nothing is saved yet. The last ten saves appear here, with who saved them and when.
        </Typography.Text>
      ) : (
        <ol className="versions">
          {versions.map((version, at) => (
            <li key={version.version}>
              {version.preview !== null && <img src={version.preview} alt="" width={96} height={64} />}
              <div>
                <b title={absoluteTime(version.savedAt)}>{agoOf(version)}</b>
                <span>{absoluteTime(version.savedAt)}</span>
                <Typography.Text type="secondary">
                  {version.savedBy ?? 'Without a display name'}
                </Typography.Text>
                {at === 0 ? (
                  <Typography.Text type="secondary">Current</Typography.Text>
                ) : (
                  <Button size="small" onClick={() => onRestore(version)}>
                    Restore
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Drawer>
  );
}

/** Whether a dialog, the version history, or the options of a field are open. */
const isCovered = (): boolean =>
  document.querySelector('.ant-modal-wrap, .ant-drawer-open, .ant-select-open, .ant-color-picker-open') !==
  null;

const agoOf = ({ savedAt }: AppearanceVersion): string => formatAgo(savedAt, Date.now());

const listOf = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);

/** The look of a JSON file, or what is wrong with the file. */
async function readLook(chosen: File): Promise<{ look: Appearance } | { problem: string }> {
  const read =
    chosen.size > 100_000 ? { problem: 'It is larger than 100 kB.' } : parseLook(await chosen.text());
  return 'look' in read ? read : { problem: `${chosen.name} wasn’t imported. ${read.problem}` };
}

function exportLook(look: Appearance, code: string): void {
  const address = URL.createObjectURL(
    new Blob([JSON.stringify(look, null, 2)], { type: 'application/json' }),
  );
  Object.assign(document.createElement('a'), { href: address, download: `${code}.appearance.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
