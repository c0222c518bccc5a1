//! The emails about purchases that were enqueued. A key makes each one unique; rows are only added.

use kernel::ProvisionId;
use sea_orm::entity::prelude::*;

/// What an email is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum NoticeKind {
    /// The purchase was paid for the first time.
    #[sea_orm(string_value = "bought")]
    Bought,
    /// A payment failed for the first time.
    #[sea_orm(string_value = "payment_failed")]
    PaymentFailed,
    /// A payment failed, and is not tried again.
    #[sea_orm(string_value = "last_payment_failed")]
    LastPaymentFailed,
    /// The organisation is suspended.
    #[sea_orm(string_value = "suspended")]
    Suspended,
    /// The plan ended.
    #[sea_orm(string_value = "ended")]
    Ended,
    /// The data of an organisation is removed soon.
    #[sea_orm(string_value = "removal")]
    Removal,
}

/// An email that was enqueued.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "billing_notice")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub provision: ProvisionId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: NoticeKind,
    /// Tells the emails of one kind apart, such as those about different missing payments.
    #[sea_orm(primary_key, auto_increment = false)]
    pub about: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_words_never_change() {
        let expected = ["bought", "payment_failed", "last_payment_failed", "suspended", "ended", "removal"];
        assert_eq!(NoticeKind::values(), expected);
    }
}
