import { profileFields, type ProfileFieldName } from '@orange-id/contract/profile.fields';
import { expect, type Locator, type Page } from '@playwright/test';

/** One field of the profile, with its viewing and editing state. */
export class ProfileField {
  readonly root: Locator;
  readonly edit: Locator;
  readonly input: Locator;
  readonly save: Locator;
  readonly cancel: Locator;

  constructor(page: Page, name: ProfileFieldName) {
    const { label, kind } = profileFields[name];
    this.root = page.locator(`[data-machine="profileField"][data-field="${name}"]`);
    this.edit = this.root.getByRole('button', { name: `Edit ${label}` });
    this.input = this.root.getByRole(kind === 'country' ? 'combobox' : 'textbox', { name: label });
    this.save = this.root.getByRole('button', { name: /^(Save|Saving\.\.\.)$/ });
    this.cancel = this.root.getByRole('button', { name: 'Cancel' });
  }

  async expectState(state: 'viewing' | 'editing' | 'saving'): Promise<void> {
    await expect(this.root).toHaveAttribute('data-state', state);
  }

  /** Edits and saves; resolves once the view shows the new value. */
  async change(value: string): Promise<void> {
    await this.edit.click();
    await this.input.fill(value);
    await this.save.click();
    await this.expectState('viewing');
    await expect(this.root).toContainText(value);
  }
}

/** 'Profile Picture': the current picture and its buttons. */
export class AvatarSection {
  readonly root: Locator;
  readonly picture: Locator;
  readonly image: Locator;
  readonly file: Locator;
  readonly upload: Locator;
  readonly delete: Locator;
  readonly note: Locator;

  constructor(readonly page: Page) {
    this.root = page.locator('[data-machine="avatar"]');
    this.picture = this.root.locator('.settings_avatarPicture');
    this.image = this.picture.getByRole('img', { name: 'Your profile photo' });
    this.file = this.root.locator('input[type=file]');
    this.upload = this.root.getByRole('button', { name: /^(Upload photo|Uploading\.\.\.)$/ });
    this.delete = this.root.getByRole('button', { name: /^(Delete photo|Deleting\.\.\.)$/ });
    this.note = this.root.locator('.settings_avatarNote');
  }

  async expectState(state: 'idle' | 'confirming' | 'uploading' | 'deleting'): Promise<void> {
    await expect(this.root).toHaveAttribute('data-state', state);
  }

  /** Deletes the picture and confirms. */
  async remove(): Promise<void> {
    await this.delete.click();
    await this.page.getByRole('dialog').getByRole('button', { name: 'Delete photo' }).click();
  }
}

/** `/settings`: the profile fields, the account's sessions, and the picture. */
export class SettingsPage {
  readonly heading: Locator;
  readonly avatar: AvatarSection;
  readonly displayName: ProfileField;
  readonly username: ProfileField;
  readonly bio: ProfileField;
  readonly email: ProfileField;
  readonly location: ProfileField;
  /** The list of countries, while it is open. */
  readonly countries: Locator;
  readonly profileLink: Locator;
  readonly confirmation: Locator;
  readonly changePassword: Locator;
  readonly currentPassword: Locator;
  readonly newPassword: Locator;
  readonly confirmPassword: Locator;
  readonly sessions: Locator;
  readonly signOutEverywhere: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'Settings', level: 1 });
    this.avatar = new AvatarSection(page);
    this.displayName = new ProfileField(page, 'displayName');
    this.username = new ProfileField(page, 'username');
    this.bio = new ProfileField(page, 'bio');
    this.email = new ProfileField(page, 'email');
    this.location = new ProfileField(page, 'location');
    this.countries = page.locator('.settings_countryList');
    this.profileLink = page.getByRole('link', { name: 'your profile' });
    this.confirmation = page.getByRole('note').filter({ hasText: 'Confirm your email' });
    this.changePassword = page.getByRole('button', { name: 'Change password' });
    this.currentPassword = page.getByLabel('Current password');
    this.newPassword = page.getByLabel('New password', { exact: true });
    this.confirmPassword = page.getByLabel('Confirm password');
    this.sessions = page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
    this.signOutEverywhere = page.getByRole('button', { name: 'Sign out everywhere' });
  }

  async goto(): Promise<void> {
    await this.page.goto('/settings');
  }

  country(name: string): Locator {
    return this.countries.locator('.ant-select-item-option').filter({ hasText: new RegExp(`^${name}$`) });
  }

  toast(title: string, description: string): Locator {
    return this.page.locator('.toast_root').filter({ hasText: title }).filter({ hasText: description });
  }
}
