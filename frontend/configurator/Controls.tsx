import { ArrowDownOutlined, ArrowUpOutlined, RightOutlined, UndoOutlined } from '@ant-design/icons';
import {
  appearanceDensities,
  appearanceDirections,
  appearanceFonts,
  appearanceLayouts,
  appearanceLimits,
  appearanceModes,
  defaultAppearance,
  type Appearance,
} from '@orange-id/contract/appearance';
import { appearancePresets } from '@orange-id/contract/appearance.presets';
import { signInMethods } from '@orange-id/contract/sign-in.methods';
import { Button, Checkbox, Collapse, Flex, Input, Segmented, Select, Slider } from 'antd';
import { useId, type ReactNode } from 'react';
import type { ColorScheme } from '../widget/color.scheme';
import { ColourField } from './ColourField';
import {
  densityTitles,
  directionTitles,
  fontTitles,
  layoutTitles,
  methodTitles,
  modeTitles,
} from './controls.text';
import { isSameLook } from './editor.machine';
import { PictureField } from './PictureField';
import { Setting } from './Setting';

interface ControlsProps {
  look: Appearance;
  /** The scheme whose colours are shown. */
  scheme: ColorScheme;
  /** What is wrong with the look, by the path of the field. */
  problems: ReadonlyMap<string, string>;
  /** Another object after each change and each save. */
  revision: object;
  onChange(look: Appearance, field: string): void;
  upload(file: File): Promise<string>;
}

const optionsOf = <T extends string>(values: readonly T[], titles: Record<T, string>) =>
  values.map((value) => ({ value, label: titles[value] }));

/** What the look is made of; each part with a reset of its own. */
export function Controls({ look, scheme, problems, revision, onChange, upload }: ControlsProps) {
  const id = useId();
  const set = <K extends keyof Appearance>(name: K, value: Appearance[K], field: string = name) =>
    onChange({ ...look, [name]: value }, field);
  const text = (name: keyof Appearance['texts'], value: string) =>
    set('texts', { ...look.texts, [name]: value }, `texts.${name}`);
  const palette = look.colours[scheme];
  const colour = (name: keyof typeof palette, value: string) =>
    set('colours', { ...look.colours, [scheme]: { ...palette, [name]: value } }, `colours.${scheme}.${name}`);
  const isDifferent = (name: keyof Appearance) =>
    JSON.stringify(look[name]) !== JSON.stringify(defaultAppearance[name]);
  const reset = (...names: (keyof Appearance)[]) => ({
    isChanged: names.some((name) => isDifferent(name)),
    onReset: () =>
      onChange(
        { ...look, ...Object.fromEntries(names.map((name) => [name, defaultAppearance[name]])) },
        `reset.${names.join()}`,
      ),
  });

  /** The reset of one setting, with its default in words. */
  const resetOf = <K extends keyof Appearance>(name: K, to: string) =>
    isDifferent(name) && { to, act: () => set(name, defaultAppearance[name]) };
  const textField = (
    name: keyof Appearance['texts'],
    label: string,
    more: Pick<TextFieldProps, 'max' | 'help' | 'placeholder'> = {},
  ) => (
    <TextField
      label={label}
      value={look.texts[name]}
      defaultValue={defaultAppearance.texts[name]}
      problem={problems.get(`texts.${name}`)}
      onChange={(value) => text(name, value)}
      {...more}
    />
  );
  const colourField = (name: keyof typeof palette, label: string, against: string | null = null) => (
    <ColourField
      label={label}
      value={palette[name]}
      defaultValue={defaultAppearance.colours[scheme][name]}
      against={against}
      problem={problems.get(`colours.${scheme}.${name}`)}
      onChange={(value) => colour(name, value)}
    />
  );
  const pictureField = (
    label: string,
    path: string,
    value: string,
    change: (value: string) => void,
    help?: string,
  ) => (
    <PictureField
      label={label}
      value={value}
      problem={problems.get(path)}
      {...(help !== undefined && { help })}
      revision={revision}
      upload={upload}
      onChange={change}
    />
  );

  const parts: [key: string, title: string, reset: ReturnType<typeof reset>, body: ReactNode][] = [
    [
      'colours',
      'Colours',
      reset('colours', 'mode'),
      <>
        <Setting
          label="Scheme"
          reset={resetOf('mode', modeTitles[defaultAppearance.mode])}
          help={
            look.mode === 'system'
              ? `You’re editing the ${scheme} colours. Switch to ${scheme === 'light' ? 'Dark' : 'Light'} above the preview for the others.`
              : `The login widget is always ${look.mode}.`
          }
        >
          <Segmented
            block
            value={look.mode}
            options={optionsOf(appearanceModes, modeTitles)}
            onChange={(mode) => set('mode', mode)}
          />
        </Setting>
        {colourField('accent', 'Accent')}
        {colourField('buttonText', 'Button text', palette.accent)}
        {colourField('background', 'Background')}
        {colourField('text', 'Text', palette.background)}
        {colourField('border', 'Border')}
      </>,
    ],
    [
      'logo',
      'Logo',
      reset('logo'),
      <>
        {pictureField('Logo on light', 'logo.light', look.logo.light, (light) =>
          set('logo', { ...look.logo, light }, 'logo.light'),
        )}
        {pictureField(
          'Logo on dark',
          'logo.dark',
          look.logo.dark,
          (dark) => set('logo', { ...look.logo, dark }, 'logo.dark'),
          'The portal’s own sign-in page shows an uploaded logo only.',
        )}
        <TextField
          label="Alternative text"
          value={look.logo.alt}
          defaultValue={defaultAppearance.logo.alt}
          problem={problems.get('logo.alt')}
          max={appearanceLimits.altMax}
          onChange={(alt) => set('logo', { ...look.logo, alt }, 'logo.alt')}
        />
      </>,
    ],
    [
      'text',
      'Font and size',
      reset('font', 'fontSize'),
      <>
        <Setting
          label="Font"
          htmlFor={`${id}-font`}
          reset={resetOf('font', fontTitles[defaultAppearance.font])}
        >
          <Select
            id={`${id}-font`}
            value={look.font}
            options={optionsOf(appearanceFonts, fontTitles)}
            onChange={(font) => set('font', font)}
          />
        </Setting>
        <Setting
          label="Size"
          value={`${look.fontSize} px`}
          reset={resetOf('fontSize', `${defaultAppearance.fontSize} px`)}
        >
          <Slider
            min={appearanceLimits.fontSizeMin}
            max={appearanceLimits.fontSizeMax}
            value={look.fontSize}
            onChange={(fontSize) => set('fontSize', fontSize)}
            ariaLabelForHandle="Size"
          />
        </Setting>
      </>,
    ],
    [
      'layout',
      'Layout',
      reset('layout', 'picture', 'radius', 'density', 'direction'),
      <>
        <Setting
          label="Layout"
          htmlFor={`${id}-layout`}
          reset={resetOf('layout', layoutTitles[defaultAppearance.layout])}
          help={`${look.layout === 'page' ? 'Fills the element you place it in. ' : ''}The portal’s own sign-in page always shows a card.`}
        >
          <Select
            id={`${id}-layout`}
            value={look.layout}
            options={optionsOf(appearanceLayouts, layoutTitles)}
            onChange={(layout) => set('layout', layout)}
          />
        </Setting>
        {look.layout.startsWith('picture') &&
          pictureField(
            'Picture',
            'picture',
            look.picture,
            (picture) => set('picture', picture),
            look.picture === ''
              ? 'Add a picture to see this layout.'
              : 'Shown when the panel is wider than 600 px.',
          )}
        <Setting
          label="Corner radius"
          value={`${look.radius} px`}
          reset={resetOf('radius', `${defaultAppearance.radius} px`)}
        >
          <Slider
            min={0}
            max={appearanceLimits.radiusMax}
            value={look.radius}
            onChange={(radius) => set('radius', radius)}
            ariaLabelForHandle="Corner radius"
          />
        </Setting>
        <Setting label="Density" reset={resetOf('density', densityTitles[defaultAppearance.density])}>
          <Segmented
            block
            value={look.density}
            options={optionsOf(appearanceDensities, densityTitles)}
            onChange={(density) => set('density', density)}
          />
        </Setting>
        <Setting
          label="Text direction"
          htmlFor={`${id}-direction`}
          reset={resetOf('direction', directionTitles[defaultAppearance.direction])}
        >
          <Select
            id={`${id}-direction`}
            value={look.direction}
            options={optionsOf(appearanceDirections, directionTitles)}
            onChange={(direction) => set('direction', direction)}
          />
        </Setting>
      </>,
    ],
    [
      'methods',
      'Sign-in methods',
      reset('methods'),
      <Methods key="methods" value={look.methods} onChange={(methods) => set('methods', methods)} />,
    ],
    [
      'texts',
      'Texts and links',
      reset('texts'),
      <>
        {textField('title', 'Title', {
          max: appearanceLimits.titleMax,
          help: 'Your project’s name follows, or your logo. The portal’s own sign-in page keeps its title, so that people recognise it.',
        })}
        {textField('walletButton', 'Wallet button', { max: appearanceLimits.buttonMax })}
        {textField('separator', 'Separator', { max: appearanceLimits.separatorMax })}
        {textField('termsUrl', 'Terms URL', { placeholder: 'https://app.example.com/terms' })}
        {textField('privacyUrl', 'Privacy Policy URL', { placeholder: 'https://app.example.com/privacy' })}
      </>,
    ],
  ];

  return (
    <>
      <Setting label="Start from a preset">
        <div className="presets">
          {appearancePresets.map(({ id: preset, title, appearance }) => (
            <button
              key={preset}
              type="button"
              className="preset"
              aria-label={`Preset ${title}`}
              aria-pressed={isSameLook(withPreset(appearance, look), look)}
              onClick={() => onChange(withPreset(appearance, look), `preset.${preset}`)}
            >
              <span
                className="swatch"
                style={{
                  background: appearance.colours[scheme].background,
                  borderColor: appearance.colours[scheme].border,
                }}
              >
                <span style={{ background: appearance.colours[scheme].accent }} />
              </span>
              {title}
            </button>
          ))}
        </div>
      </Setting>
      <Collapse
        bordered={false}
        defaultActiveKey={['colours', 'logo', 'methods']}
        expandIcon={({ isActive = false }) => <RightOutlined aria-hidden rotate={isActive ? 90 : 0} />}
        items={parts.map(([key, label, { isChanged, onReset }, children]) => ({
          key,
          label,
          children: (
            <>
              {children}
              {isChanged && (
                <Button size="small" icon={<UndoOutlined aria-hidden />} onClick={onReset}>
                  {`Reset ${label}`}
                </Button>
              )}
            </>
          ),
        }))}
      />
    </>
  );
}

/** What a preset sets: the rest of the look is the project's own. */
const withPreset = (
  preset: Appearance,
  { logo, picture, methods, texts, layout }: Appearance,
): Appearance => ({
  ...preset,
  logo,
  picture,
  methods,
  texts,
  layout,
});

interface TextFieldProps {
  label: string;
  value: string;
  defaultValue: string;
  problem?: string | undefined;
  help?: string;
  placeholder?: string;
  /** How many characters it may have, shown with how many it has; without one, the field is a URL. */
  max?: number;
  onChange(value: string): void;
}

/** A text that is never cut: one that is too long says so. */
function TextField({
  label,
  value,
  defaultValue,
  problem,
  help,
  placeholder,
  max,
  onChange,
}: TextFieldProps) {
  const id = useId();
  return (
    <Setting
      label={label}
      htmlFor={id}
      problem={problem}
      {...(help !== undefined && { help })}
      {...(max !== undefined && { value: `${value.length} of ${max}` })}
      reset={
        value !== defaultValue && {
          to: defaultValue === '' ? 'nothing' : `“${defaultValue}”`,
          act: () => onChange(defaultValue),
        }
      }
    >
      <Input
        id={id}
        type={max === undefined ? 'url' : 'text'}
        value={value}
        {...(placeholder !== undefined && { placeholder })}
        {...(problem !== undefined && { status: 'error' as const })}
        onChange={({ target }) => onChange(max === undefined ? target.value.trim() : target.value)}
      />
    </Setting>
  );
}

/** The methods: which are shown, and in which order. The last one that is shown can't be hidden. */
function Methods({
  value,
  onChange,
}: {
  value: Appearance['methods'];
  onChange(methods: Appearance['methods']): void;
}) {
  const hidden = signInMethods.filter((method) => !value.includes(method));
  const move = (at: number, by: number) => {
    const next = [...value];
    const [method] = next.splice(at, 1);
    next.splice(at + by, 0, method as never);
    onChange(next);
  };
  return (
    <ul className="methods">
      {[...value, ...hidden].map((method, at) => {
        const isShown = at < value.length;
        return (
          <li key={method}>
            <Checkbox
              checked={isShown}
              disabled={isShown && value.length === 1}
              onChange={() =>
                onChange(isShown ? value.filter((each) => each !== method) : [...value, method])
              }
            >
              {methodTitles[method]}
            </Checkbox>
            {isShown && (
              <Flex gap={4}>
                <Button
                  size="small"
                  type="text"
                  icon={<ArrowUpOutlined aria-hidden />}
                  aria-label={`Move ${methodTitles[method]} up`}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <Button
                  size="small"
                  type="text"
                  icon={<ArrowDownOutlined aria-hidden />}
                  aria-label={`Move ${methodTitles[method]} down`}
                  disabled={at === value.length - 1}
                  onClick={() => move(at, 1)}
                />
              </Flex>
            )}
          </li>
        );
      })}
    </ul>
  );
}
