//! Landlock: the tool reads programs, libraries and its input, writes in its folder, and reaches nothing
//! else.

use std::path::Path;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, Scope, make_bitflags, path_beneath_rules,
};

use super::{INPUT, Reason, failure};

/// What every tool may read: programs, libraries, fonts. Not all of `/usr`, because some installations keep
/// data there.
pub(super) const READABLE: [&str; 19] = [
    "/usr/bin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/share",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
];

/// Devices that hold no data.
pub(super) const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/urandom"];

/// The newest Landlock version supported here. An older kernel enforces the rules it knows.
const NEWEST_ABI: ABI = ABI::V9;

/// Blocks access to all other files for this process and its children. Returns the kernel's Landlock version.
pub(super) fn apply(tool: Option<&Path>) -> Result<i32, Reason> {
    let open = |path| PathFd::new(path).map_err(|error| failure("Landlock", error));
    let status = restrict(tool, open(INPUT)?, open(".")?);
    match status.map_err(|error| failure("Landlock", error))? {
        LandlockStatus::Available { effective_abi, kernel_abi } => {
            Ok(kernel_abi.unwrap_or(effective_abi as i32))
        }
        LandlockStatus::NotEnabled => Err("Landlock: not enabled at boot".to_owned()),
        LandlockStatus::NotImplemented => Err("Landlock: not supported by this kernel".to_owned()),
    }
}

fn restrict(tool: Option<&Path>, input: PathFd, output: PathFd) -> Result<LandlockStatus, RulesetError> {
    let device = make_bitflags!(AccessFs::{ReadFile | WriteFile});
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST_ABI))?
        .handle_access(AccessNet::from_all(NEWEST_ABI))?
        .scope(Scope::from_all(NEWEST_ABI))?
        .create()?
        .add_rules(path_beneath_rules(READABLE, AccessFs::from_read(NEWEST_ABI)))?
        .add_rules(path_beneath_rules(tool, AccessFs::from_read(NEWEST_ABI)))?
        .add_rules(path_beneath_rules(DEVICES, device))?
        .add_rule(PathBeneath::new(input, AccessFs::ReadFile))?
        .add_rule(PathBeneath::new(output, output_access()))?;
    Ok(rules.restrict_self()?.landlock)
}

/// Access to plain files in one folder: no folders, links, sockets or devices, and nothing written there can
/// be executed.
fn output_access() -> BitFlags<AccessFs> {
    make_bitflags!(AccessFs::{ReadFile | ReadDir | WriteFile | Truncate | MakeReg | RemoveFile})
}
