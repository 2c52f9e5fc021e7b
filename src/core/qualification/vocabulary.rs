//! The words of TS 119 612 (trusted lists) and EN 319 412-5 (QC statements) that qualification rests on.

use crate::time::Time;
use crate::vocabulary::string_enum;

/// When Regulation (EU) No 910/2014 (eIDAS) replaced Directive 1999/93/EC: 2016-07-01 in Brussels.
///
/// TS 119 615 calls what is earlier "under Directive 1999/93/EC" and the rest "under Regulation 910/2014".
pub(crate) const EIDAS: Time = Time::from_seconds(1_467_324_000);

/// When the transition of eIDAS article 51 ended, and with it trusted lists of version 4.
pub(crate) const END_OF_TRANSITION: Time = Time::from_seconds(1_498_860_000);

/// Service type: issuing qualified certificates (TS 119 612 §5.5.1.1).
pub(crate) const CA_QC: &str = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";

/// Service type: issuing qualified electronic time-stamps (TS 119 612 §5.5.1.1).
pub(crate) const TSA_QTST: &str = "http://uri.etsi.org/TrstSvc/Svctype/TSA/QTST";

string_enum! {
    /// The status of a trust service (TS 119 612 §5.5.4).
    pub enum ServiceStatus {
        Granted = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted",
        Withdrawn = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/withdrawn",
        UnderSupervision = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/undersupervision",
        SupervisionInCessation = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/supervisionincessation",
        SupervisionCeased = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/supervisionceased",
        SupervisionRevoked = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/supervisionrevoked",
        Accredited = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/accredited",
        AccreditationCeased = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/accreditationceased",
        AccreditationRevoked = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/accreditationrevoked",
        SetByNationalLaw = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/setbynationallaw",
        RecognisedAtNationalLevel = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/recognisedatnationallevel",
        DeprecatedByNationalLaw = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/deprecatedbynationallaw",
        DeprecatedAtNationalLevel = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/deprecatedatnationallevel",
    }
}

string_enum! {
    /// What a qualifier says of the certificates that meet its criteria (TS 119 612 §5.5.9.2.3).
    pub enum ServiceQualifier {
        QcWithSscd = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCWithSSCD",
        QcNoSscd = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCNoSSCD",
        QcSscdStatusAsInCert = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCSSCDStatusAsInCert",
        QcWithQscd = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCWithQSCD",
        QcNoQscd = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCNoQSCD",
        QcQscdStatusAsInCert = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCQSCDStatusAsInCert",
        QcQscdManagedOnBehalf = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCQSCDManagedOnBehalf",
        QcForLegalPerson = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCForLegalPerson",
        QcForESig = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCForESig",
        QcForESeal = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCForESeal",
        QcForWsa = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCForWSA",
        NotQualified = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/NotQualified",
        QcStatement = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCStatement",
    }
}

string_enum! {
    /// What a service that issues qualified certificates issues them for (TS 119 612 §5.5.9.4).
    pub enum ServicePurpose {
        ESignatures = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSignatures",
        ESeals = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals",
        WebSiteAuthentication = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForWebSiteAuthentication",
    }
}

string_enum! {
    /// What a certificate says that it is for (EN 319 412-5 §4.2.3).
    pub enum QcType {
        ESign = "0.4.0.1862.1.6.1",
        ESeal = "0.4.0.1862.1.6.2",
        Web = "0.4.0.1862.1.6.3",
    }
}

/// Certificate policy: qualified certificate issued to the public (TS 101 456).
pub(crate) const QCP_PUBLIC: &str = "0.4.0.1456.1.2";

/// The same with the key in a secure signature creation device.
pub(crate) const QCP_PUBLIC_WITH_SSCD: &str = "0.4.0.1456.1.1";
