//! The people of the demo.

use crate::device::Device;
use crate::size::Scale;

/// Password of every staff member.
pub const PASSWORD: &str = "lantern-orchard-42";

/// A person: name, company and job title.
#[derive(Clone, Copy)]
pub struct Person {
    pub first: &'static str,
    pub last: &'static str,
    pub company: &'static str,
    pub job: &'static str,
}

impl Person {
    /// Returns the address of the person at this domain, in ASCII.
    pub fn email(&self, domain: &str) -> String {
        let local: String =
            format!("{}.{}", self.first, self.last).to_lowercase().chars().map(plain).collect();
        format!("{}@{domain}", local.replace([' ', '\''], ""))
    }

    /// Returns the address of an app user.
    pub fn viewer_email(&self) -> String {
        self.email(&format!("{}.example", self.company.to_lowercase().replace(' ', "-")))
    }

    /// Returns where an app user is from and works.
    pub fn details(&self) -> &'static Details {
        &DETAILS[(self.first.len() + self.last.len()) % DETAILS.len()]
    }

    /// Returns the device of an app user.
    pub fn device(&self) -> Device {
        Device::new(3 * self.first.len() + usize::from(self.last.as_bytes()[0]), self.details().country)
    }

    /// Returns the full name.
    pub fn name(&self) -> String {
        format!("{} {}", self.first, self.last)
    }
}

/// Where an app user is from and works.
pub struct Details {
    pub phone: &'static str,
    /// ISO 3166 code of the country of the phone number.
    pub country: &'static str,
    pub business_area: &'static str,
}

/// Each app user has one of these.
const DETAILS: [Details; 5] = [
    Details { phone: "+44 20 7946 0123", country: "GB", business_area: "Financial Services" },
    Details { phone: "+49 30 123456", country: "DE", business_area: "Manufacturing" },
    Details { phone: "+47 22 12 34 56", country: "NO", business_area: "Logistics" },
    Details { phone: "+1 212 555 0123", country: "US", business_area: "Retail" },
    Details { phone: "+91 22 6789 0123", country: "IN", business_area: "Information Technology" },
];

/// Replaces letters with accents; others that addresses cannot hold become x.
fn plain(letter: char) -> char {
    match letter {
        'á' | 'à' | 'ä' | 'å' | 'ã' => 'a',
        'é' | 'è' | 'ë' => 'e',
        'í' | 'ï' | 'ı' => 'i',
        'ó' | 'ö' | 'ø' | 'ő' => 'o',
        'ú' | 'ü' => 'u',
        'ñ' => 'n',
        'ł' => 'l',
        'ś' | 'š' => 's',
        'ç' | 'č' => 'c',
        'ž' | 'ż' => 'z',
        letter if letter.is_ascii() => letter,
        _ => 'x',
    }
}

const fn person(first: &'static str, last: &'static str, company: &'static str, job: &'static str) -> Person {
    Person { first, last, company, job }
}

/// Staff of the first organisation with the role each is invited to; the founder comes first.
pub const STAFF: [(Person, &str); 7] = [
    (person("Alexandra", "Lindqvist", "Northwind Media", "Managing Director"), "superAdmin"),
    (person("Tomasz", "Wójcik", "Northwind Media", "Operations Manager"), "accountAdmin"),
    (person("Priya", "Raman", "Northwind Media", "Editor"), "manager"),
    (person("Daniel", "Okafor", "Northwind Media", "Producer"), "teamLeader"),
    (person("Lena", "Fischer", "Northwind Media", "Analyst"), "teamUser"),
    (person("Hana", "Suzuki", "Northwind Media", "Producer"), "teamLeader"),
    (person("Marcus", "Reid", "Northwind Media", "Editor"), "teamLeader"),
];

/// Position in [`STAFF`] of the person who becomes a manager.
pub const PROMOTED: usize = 3;

/// Staff of the second organisation; the founder comes first.
pub const SCHOOL_STAFF: [(Person, &str); 2] = [
    (person("Ingrid", "Solberg", "Harbour Academy", "Director"), "superAdmin"),
    (person("Samuel", "Adeyemi", "Harbour Academy", "Instructor"), "manager"),
];

/// Returns the app users: those of the first organisation, then those of the second.
pub fn viewers(scale: &Scale) -> Vec<Person> {
    let (clients, students) = VIEWERS.split_at(48);
    let mut people = clients.to_vec();
    people.extend(
        (VIEWERS.len()..).map(|number| invented(number, clients)).take(scale.company - clients.len()),
    );
    people.extend(students);
    let school = students[0];
    let more = (VIEWERS.len() + scale.company..).map(|number| Person {
        company: school.company,
        job: school.job,
        ..invented(number, clients)
    });
    people.extend(more.take(scale.school - students.len()));
    people
}

/// Returns one of 6,000 people with different names, who works where one of `colleagues` does.
fn invented(number: usize, colleagues: &[Person]) -> Person {
    let (round, first) = (number / VIEWERS.len(), number % VIEWERS.len());
    let colleague = colleagues[number * 7 % colleagues.len()];
    Person { first: VIEWERS[first].first, last: LAST_NAMES[(number + round) % LAST_NAMES.len()], ..colleague }
}

/// Last names of invented people.
const LAST_NAMES: [&str; 100] = [
    "Abbott",
    "Acosta",
    "Adler",
    "Aksoy",
    "Albrecht",
    "Almeida",
    "Amato",
    "Anand",
    "Arslan",
    "Baker",
    "Barros",
    "Becker",
    "Bergman",
    "Bianchi",
    "Blake",
    "Bondarenko",
    "Borg",
    "Bravo",
    "Brandt",
    "Byrne",
    "Cabral",
    "Campbell",
    "Castro",
    "Chopra",
    "Cohen",
    "Conti",
    "Crawford",
    "Cruz",
    "Dahl",
    "Dalton",
    "Das",
    "Deluca",
    "Demir",
    "Dixon",
    "Donovan",
    "Drake",
    "Duarte",
    "Eklund",
    "Ellis",
    "Esposito",
    "Falk",
    "Farah",
    "Ferrari",
    "Fletcher",
    "Fonseca",
    "Frost",
    "Gallo",
    "Garner",
    "Georgiou",
    "Gibson",
    "Gonzalez",
    "Grant",
    "Gupta",
    "Haas",
    "Hale",
    "Hamid",
    "Harper",
    "Hayashi",
    "Hoffman",
    "Horvat",
    "Iqbal",
    "Jacobs",
    "Jensen",
    "Johansson",
    "Kaplan",
    "Kaur",
    "Keller",
    "Khan",
    "Kimura",
    "Koch",
    "Kumar",
    "Lang",
    "Larsen",
    "Leroy",
    "Lindgren",
    "Lopez",
    "Lowe",
    "Marino",
    "Martin",
    "Mbeki",
    "Moreno",
    "Nair",
    "Nakamura",
    "Ortega",
    "Osman",
    "Owens",
    "Pereira",
    "Quinn",
    "Rao",
    "Richter",
    "Romano",
    "Sato",
    "Schmidt",
    "Sharma",
    "Stone",
    "Suarez",
    "Tanner",
    "Vargas",
    "Wagner",
    "Zhang",
];

/// App users that are listed by hand. The first 48 join the first organisation, the others the second.
const VIEWERS: [Person; 60] = [
    person("Grace", "Holloway", "Brightwater Capital", "Analyst"),
    person("Mateo", "Ibáñez", "Cordillera Foods", "Chief Financial Officer"),
    person("Yuki", "Tanaka", "Aozora Logistics", "Accountant"),
    person("Oliver", "Bennett", "Kestrel Partners", "Analyst"),
    person("Fatima", "Haddad", "Cedar Holdings", "Executive Assistant"),
    person("Søren", "Møller", "Fjordkraft Supply", "Operations Manager"),
    person("Chloe", "Dubois", "Maison Verte", "Chief Financial Officer"),
    person("Rahul", "Mehta", "Saffron Systems", "Product Manager"),
    person("Hannah", "Schäfer", "Elbwerk", "Accountant"),
    person("Liam", "O'Connor", "Shannon Estates", "Partner"),
    person("Zofia", "Śliwińska", "Baltic Freight", "Coordinator"),
    person("Noah", "Williams", "Redwood Insurance", "Analyst"),
    person("Aisha", "Bello", "Lagoon Energy", "Head of Department"),
    person("Viktor", "Novák", "Vltava Motors", "Operations Manager"),
    person("Emily", "Carter", "Summit Retail", "Marketing Manager"),
    person("José", "Nuñez", "Puerto Azul", "Business Owner"),
    person("Mei", "Chen", "Jade Harbor", "Associate"),
    person("Lucas", "Moreau", "Atelier Nord", "Consultant"),
    person("Sara", "Lindholm", "Granit Bygg", "Project Manager"),
    person("Ethan", "Brooks", "Copperfield Bank", "Account Manager"),
    person("Nadia", "Petrova", "Orion Shipping", "Operations Manager"),
    person("Kwame", "Mensah", "Gold Coast Trade", "Director"),
    person("Isabella", "Rossi", "Lago Tessuti", "Sales Manager"),
    person("Jonas", "Weber", "Nordlicht Solar", "Engineer"),
    person("Leila", "Farahani", "Pars Textiles", "Designer"),
    person("Benjamin", "Clarke", "Hawthorn Legal", "Lawyer"),
    person("Anna", "Kowalska", "Wisla Print", "Account Manager"),
    person("Diego", "Fernández", "Andes Mining", "Researcher"),
    person("Sofia", "Andersson", "Malmen Paper", "Accountant"),
    person("Tariq", "Aziz", "Crescent Pharma", "Head of Department"),
    person("Julia", "Hartmann", "Rheinblick", "Researcher"),
    person("Patrick", "Murphy", "Liffey Software", "Developer"),
    person("Amara", "Nwosu", "Palm Grove", "Marketing Manager"),
    person("Felix", "Baumann", "Alpenholz", "Operations Manager"),
    person("Camille", "Laurent", "Vigne Claire", "Sales Manager"),
    person("Ryan", "Foster", "Granite Peak", "Vice President"),
    person("Elif", "Yılmaz", "Bosphorus Steel", "Engineer"),
    person("Hugo", "Silva", "Tejo Ceramics", "Operations Manager"),
    person("Maria", "Papadopoulou", "Aegean Lines", "Coordinator"),
    person("Connor", "Hughes", "Mersey Tools", "Head of Department"),
    person("Linh", "Tran", "Lotus Apparel", "Operations Manager"),
    person("Peter", "Jansen", "Delta Water", "Engineer"),
    person("Olga", "Ivanova", "Northern Rail", "Coordinator"),
    person("Abdul", "Rahman", "Monsoon Tea", "Entrepreneur"),
    person("Freya", "Nilsen", "Tromso Fisheries", "Office Manager"),
    person("George", "Evans", "Severn Glass", "Head of Department"),
    person("Carla", "Mendes", "Douro Cork", "Researcher"),
    person("Stefan", "Ionescu", "Carpathia Wood", "Other"),
    person("Ruth", "Abrams", "Harbour Academy", "Student"),
    person("Emil", "Hansen", "Harbour Academy", "Student"),
    person("Joy", "Wanjiru", "Harbour Academy", "Student"),
    person("Oskar", "Lund", "Harbour Academy", "Student"),
    person("Mina", "Park", "Harbour Academy", "Student"),
    person("Theo", "Marchand", "Harbour Academy", "Student"),
    person("Ava", "Turner", "Harbour Academy", "Student"),
    person("Nils", "Eriksen", "Harbour Academy", "Student"),
    person("Bianca", "Costa", "Harbour Academy", "Student"),
    person("Kofi", "Asante", "Harbour Academy", "Student"),
    person("Irene", "Vos", "Harbour Academy", "Student"),
    person("Adam", "Nowak", "Harbour Academy", "Student"),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Size;

    #[test]
    fn everyone_in_a_large_demo_has_a_different_address() {
        let people = viewers(&Size::Large.scale());
        assert_eq!(people.len(), 5_040);
        let addresses: HashSet<String> = people.iter().map(Person::viewer_email).collect();
        assert_eq!(addresses.len(), 5_040);
        assert!(addresses.iter().all(|address| kernel::Email::parse(address).is_some()));
    }

    #[test]
    fn a_small_demo_has_the_people_listed_here() {
        let people = viewers(&Size::Small.scale());
        let names = |people: &[Person]| people.iter().map(Person::name).collect::<Vec<_>>();
        assert_eq!(names(&people), names(&VIEWERS));
    }

    #[test]
    fn every_person_has_a_different_ascii_address() {
        let people = VIEWERS.iter().chain(STAFF.iter().chain(&SCHOOL_STAFF).map(|(person, _)| person));
        let addresses: HashSet<String> = people.map(|person| person.email("example.com")).collect();
        assert_eq!(addresses.len(), 69);
        assert!(addresses.iter().all(|address| kernel::Email::parse(address).is_some()));
    }

    #[test]
    fn at_least_six_names_are_outside_ascii() {
        assert!(VIEWERS.iter().filter(|person| !person.name().is_ascii()).count() >= 6);
    }
}
